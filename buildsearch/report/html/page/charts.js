
function drawSaturation() {
  const { cuts, curves } = data.saturation;
  if (!curves.length) return;
  const cells = curves.flatMap((curve) => cuts.map((cut, i) => ({ y: curve.part, x: cut, share: curve.shares[i], lift: curve.lifts[i], base: curve.base })));
  // A phone has room for some of the columns; the table has all.
  const fitting = (width) => new Set(someOf(cuts, 0.58 * width, 50));
  let measure = "share";
  const redraw = addSection("saturation", "Pick rates", "What the best builds have in common",
    `The share of the best builds that have each option, and the lift: how many times as common it is there as overall. The first column looks at the very best builds, the last at many.`, {
    controls: choice(["share", "lift"], measure, (name) => { measure = name; redraw(); }),
    draw: (width) => heat(`Heat map of ${measure} by option and cut`, {
      cells: cells.filter((cell) => fitting(width).has(cell.x)), columns: [...fitting(width)], rows: curves.map((curve) => curve.part), width: Math.min(width, 1000),
      colour: (cell) => (measure === "share" ? sequential(cell.share ?? 0) : diverging(0.5 + Math.max(-4, Math.min(4, Math.log2(Math.max(cell.lift ?? 1, 1e-3)))) / 8)),
      text: (cell) => (measure === "share" ? percent(cell.share) : cell.lift === null ? dash : `${say(cell.lift, 2)}\u00d7`),
      title: (cell) => `${cell.y}, ${cell.x}\nshare ${percent(cell.share, 1)} (all builds ${percent(cell.base, 1)})\nlift ${say(cell.lift)}`,
    }),
    table: sortable("Share and lift by option", [
      { label: "Option", of: (curve) => curve.part },
      { label: "All builds", of: (curve) => curve.base, show: (v) => percent(v, 1), number: true },
      ...cuts.map((cut, i) => ({ label: cut, of: (curve) => curve.shares[i], show: (v) => percent(v, 1), number: true })),
      ...cuts.map((cut, i) => ({ label: `Lift, ${cut}`, of: (curve) => curve.lifts[i], number: true })),
      { label: "Class", of: (curve) => curve.kind },
    ], curves),
  });
}

function drawFront() {
  const { front, cloud, size } = data.front;
  if (!front.length) return;
  const names = ["Cost", `Score (${data.score.label}, ${goodEnd(data.score.up)})`, ...data.fights.map(capital)];
  const usable = names.map((_, i) => i).filter((i) => i !== 0 || data.hasCosts);
  const axisName = (i) => (i > 1 ? `${names[i]} (${goodEnd(data.primary.up)})` : names[i]);
  let [x, y] = data.hasCosts ? [0, 1] : data.fights.length > 1 ? [2, 3] : [1, 2];
  const select = (text, value, pick) => {
    const control = make("select", {}, usable.map((i) => make("option", { value: i }, names[i])));
    control.value = String(value);
    control.addEventListener("input", () => { pick(Number(control.value)); redraw(); });
    return make("label", {}, text, control);
  };
  const rowsByBuild = new Map(data.rows.map((row) => [row.build, row]));
  const title = (each) => `${rowsByBuild.has(each.build) ? buildName(rowsByBuild.get(each.build)) : each.build}\n${names.map((name, i) => `${name} ${say(each.values[i])}`).slice(data.hasCosts ? 0 : 1).join("\n")}`;
  // Weak builds would squeeze the front into a corner: the axes end where nine tenths of the builds do.
  const span = (i) => {
    const own = front.map((each) => each.values[i]);
    const up = i === 1 ? data.score.up : i > 1 && data.primary.up;
    const others = cloud.map((each) => each[i]).sort(d3.ascending);
    return i === 0 ? d3.extent([...own, ...others]) : d3.extent([...own, d3.quantile(others, up ? 0.1 : 0.9)]);
  };
  const redraw = addSection("front", "Pareto front", data.hasCosts ? "The best for their cost" : "Builds that are best in some trade-off",
    `The Pareto front: ${whole.format(size)} builds that are not matched by any other in every scenario${data.hasCosts ? " at no higher cost" : ""}. The other ${whole.format(data.builds - size)} are dominated. Point at a dot to see the build; grey dots are a sample of all builds.`, {
    controls: [select("Across", x, (i) => { x = i; }), select("Up", y, (i) => { y = i; })],
    draw: (width) => chart("Scatter plot of the Pareto front; the table below has the numbers", {
      width: Math.min(width, 1000), height: Math.min(460, Math.max(300, width * 0.5)), marginLeft: 52, marginBottom: 42, inset: 10,
      x: { label: axisName(x), grid: true, domain: span(x), nice: x !== 0, ticks: x === 0 ? data.spread.map((row) => row.cost) : width < 500 ? 5 : 10, tickFormat: x === 0 ? "d" : undefined }, y: { label: axisName(y), grid: true, domain: span(y), nice: y !== 0 },
      marks: [
        Plot.dot(cloud, { x: (each) => each[x], y: (each) => each[y], r: 2, fill: "var(--soft)", fillOpacity: 0.35, clip: true }),
        Plot.dot(front, { x: (each) => each.values[x], y: (each) => each.values[y], r: 4.5, fill: "var(--accent)", fillOpacity: 0.85, stroke: "var(--panel)" }),
        Plot.tip(front, Plot.pointer({ x: (each) => each.values[x], y: (each) => each.values[y], ...tipStyle, title, maxRadius: 30, lineWidth: width < 500 ? 18 : 34 })),
      ],
    }),
    table: sortable(`The front, the best score first${front.length < size ? ` (${front.length} of ${whole.format(size)})` : ""}`, [
      { label: "Build", of: (each) => each.build },
      ...usable.map((i) => ({ label: names[i], of: (each) => each.values[i], number: true })),
      { label: "Dominates", of: (each) => each.dominates, show: (v) => percent(v, 1), number: true },
    ], front),
  });
}

function drawSpread() {
  const rows = data.spread;
  if (rows.length < 2) return;
  addSection("spread", "Scores by cost", "Scores by cost",
    "How scores are spread among the builds of each cost: the line is the median, the box holds half of them, the thin line nine tenths, the dot is the best.", {
    draw: (width) => chart("Box plot of scores by cost; the table below has the numbers", {
      width: Math.min(width, 1000), height: 360, marginLeft: 52, marginBottom: 42,
      x: { label: "cost", type: "band", padding: 0.35 }, y: { label: scoreAxis(), grid: true, nice: true },
      marks: [
        Plot.ruleX(rows, { x: "cost", y1: (row) => row.quantiles[1], y2: (row) => row.quantiles[5], stroke: "var(--soft)" }),
        Plot.barY(rows, { x: "cost", y1: (row) => row.quantiles[2], y2: (row) => row.quantiles[4], fill: "var(--accent-soft)", stroke: "var(--accent)", rx: 2 }),
        Plot.tickY(rows, { x: "cost", y: (row) => row.quantiles[3], stroke: "var(--accent)", strokeWidth: 3 }),
        Plot.dot(rows.map((row) => ({ cost: row.cost, value: row.quantiles[data.score.up ? 6 : 0] })), { x: "cost", y: "value", r: 4, fill: "var(--accent)" }),
      ],
    }),
    table: sortable("Quantiles of the score by cost", [
      { label: "Cost", of: (row) => row.cost, number: true }, { label: "Builds", of: (row) => row.builds, number: true },
      ...["Least", "5%", "25%", "Median", "75%", "95%", "Most"].map((name, i) => ({ label: name, of: (row) => row.quantiles[i], number: true })),
    ], rows),
  });
}

function drawOptions() {
  const { rows, classes } = data.options;
  if (!rows.length) return;
  addSection("options", "Options", "What each option is worth",
    "Viability: how close to the best build you get with this option. From 80% on it is viable. Saves: how much worse its best build is without it.", {
    table: make("div", {}, sortable(`All ${rows.length} options, by the mean of their ten best builds`, [
      { label: "Option", of: (row) => row.part }, { label: "Class", of: (row) => row.kind },
      { label: "Viability", of: (row) => row.viability, show: (v) => percent(v, 0), number: true },
      { label: "Best build", of: (row) => row.best, number: true },
      { label: "Mean of ten best", of: (row) => row.mean, number: true },
      { label: "Best without it", of: (row) => row.without, number: true },
      { label: "Cost", of: (row) => row.price, number: true }, { label: "Fair cost", of: (row) => row.indifferent, number: true },
      { label: "Pick rate class", of: (row) => row.saturation },
    ], rows), make("p", { class: "lead" }, Object.entries(classes).map(([name, said]) => `${capital(name)}: ${said}.`).join(" "))),
  });
}

function drawEarlier() {
  const earlier = data.earlier;
  if (!earlier) return;
  // An option that only one of the runs has is in none of the other's builds.
  const changed = earlier.shares.slice(0, 24).map((row) => ({ ...row, before: row.before ?? 0, after: row.after ?? 0 }));
  const table = make("div", {},
    sortable(`Share among the best ${earlier.best}`, [
      { label: "Option", of: (row) => row.part }, { label: "Before", of: (row) => row.before, show: (v) => percent(v), number: true }, { label: "After", of: (row) => row.after, show: (v) => percent(v), number: true },
    ], earlier.shares),
    sortable("The best builds of both runs", [
      { label: "Build", of: (row) => row.build },
      { label: "Rank before", of: (row) => row.before?.[0] ?? null, number: true }, { label: "Rank after", of: (row) => row.after?.[0] ?? null, number: true },
      { label: "Score before", of: (row) => row.before?.[1] ?? null, number: true }, { label: "Score after", of: (row) => row.after?.[1] ?? null, number: true },
    ], earlier.builds));
  addSection("earlier", "Before and after", "Before and after", `How common each option is among the best ${earlier.best} builds: ${earlier.name} before (diamonds), this run after (dots). Options that changed most come first; the tables have builds too.`, {
    draw: (width) => make("div", {}, beforeAndAfter(), dumbbells("Share among the best before and after", {
      rows: changed, name: (row) => row.part, width: Math.min(width, 900), x: { label: "share of the best", tickFormat: "%", domain: [0, 1] },
    })),
    table,
  });
}
