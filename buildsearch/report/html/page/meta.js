/** Matchups: shares of the metagame, the table of win rates, counters and cycles. */
const metaName = (one) => `${one.number} ${one.build}`;

function drawShares() {
  const { pool, sampled } = data;
  const shown = pool.filter((one) => one.share > 0 || one.high > 0.001).slice(0, most);
  addSection("shares", "Shares", "Builds worth playing",
    `Shares of the metagame: a mixture in which the best counter wins at most what was asked for${sampled ? "; lines are 95% intervals" : ""}. Builds without a share are in the table.`, {
    draw: (width) => chart("Bars of the share of each build; the table below has the numbers", {
      width: Math.min(width, 1000), height: 60 + 24 * shown.length, ...namesAxis(shown.map(metaName), width, { cap: 420, share: 0.55 }), marginRight: 50, marginTop: 42,
      x: { label: "share", axis: "top", grid: true, domain: [0, 1], tickFormat: (value) => percent(value), ticks: width < 500 ? 3 : 6 },
      marks: [
        Plot.barX(shown, { x: "share", y: metaName, fill: "var(--accent)", insetTop: 4, insetBottom: 4, rx: 2 }),
        sampled ? Plot.ruleY(shown, { y: metaName, x1: "low", x2: "high", stroke: "var(--ink)", strokeWidth: 2 }) : null,
      ],
    }),
    table: sortable("The pool", [
      { label: "Build", of: (one) => one.build }, { label: "Number", of: (one) => one.number, number: true },
      { label: "Share", of: (one) => one.share, show: (value) => percent(value, 1), number: true },
      { label: "At least", of: (one) => one.low, show: (value) => percent(value, 1), number: true },
      { label: "At most", of: (one) => one.high, show: (value) => percent(value, 1), number: true },
      { label: "Rating", of: (one) => one.rating, show: (value) => signed(100 * value, 1), number: true },
      { label: "Counter", of: (one) => one.counter },
    ], pool),
  });
}

function drawMatrix() {
  const { pool, order, cells } = data;
  if (pool.length < 2) return;
  const names = order.map((i) => metaName(pool[i]));
  const numbers = order.map((i) => String(pool[i].number));
  const shown = cells.map((cell) => ({ ...cell, x: String(pool[cell.b].number), y: metaName(pool[cell.a]), name: pool[cell.b].build }));
  const interval = (cell) => (cell.a === cell.b ? "itself" : cell.fights === null ? "exact" : `${percent(cell.low, 1)} to ${percent(cell.high, 1)}, ${whole.format(cell.fights)} fights`);
  const colour = (cell) => diverging(Math.max(0, Math.min(1, cell.wins)));
  addSection("matrix", "Matchups", "Which build beats which",
    "How often the build of the row wins against that of the column (by its number); a draw counts one half. Blue wins, orange loses. Rows and columns are in the order in which cycles show: blue along the diagonal that comes back in the corner is a cycle.", {
    draw: (width) => {
      const left = Math.min(longest(names, 420), width * 0.5);
      const size = Math.max(16, Math.min(44, (Math.min(width, 1100) - left - 20) / names.length));
      return chart("Table of win rates between builds; the table below has the numbers", {
        width: left + size * names.length + 12, height: 34 + size * names.length, marginLeft: left, marginTop: 30, marginBottom: 4, marginRight: 12,
        x: { domain: numbers, axis: "top", label: null, tickSize: 0 }, y: { domain: names, label: null, tickSize: 0, tickFormat: (name) => clipTo(name, left - 12) },
        marks: [
          Plot.cell(shown, { x: "x", y: "y", fill: colour, inset: 0.5, rx: 2 }),
          size < 30 ? null : Plot.text(shown, { x: "x", y: "y", fill: (cell) => inkOn(colour(cell)), text: (cell) => percent(cell.wins), fontSize: 10 }),
          Plot.tip(shown, Plot.pointer({ x: "x", y: "y", ...tipStyle, title: (cell) => `${cell.y}\nagainst ${cell.x} ${cell.name}\nwins ${percent(cell.wins, 1)} (${interval(cell)})` })),
        ],
      });
    },
    table: sortable("Every pair", [
      { label: "Build", of: (cell) => pool[cell.a].build }, { label: "Against", of: (cell) => pool[cell.b].build },
      { label: "Wins", of: (cell) => cell.wins, show: (value) => percent(value, 1), number: true },
      { label: "How sure", of: interval },
    ], cells.filter((cell) => cell.a !== cell.b)),
  });
}

function drawCycles() {
  if (!data.cycles.length) return;
  addSection("cycles", "Cycles", "Rock-paper-scissors cycles", "Three builds of which each beats the next, and the last the first; those with the largest shares come first.", {
    table: sortable("Cycles", [{ label: "Each beats the next", of: (line) => line }], data.cycles),
  });
}
