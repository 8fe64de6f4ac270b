/** A change of rules: what was edited, what moved, which edit is to blame. */
function drawEdits() {
  addSection("edits", "Edits", "What was edited", "Every edit that means something, with its line in either file.", {
    table: sortable(`${whole.format(data.edits.length)} edit${data.edits.length === 1 ? "" : "s"}`, [
      { label: "Edit", of: (edit) => edit.what }, { label: "Before", of: (edit) => edit.a }, { label: "After", of: (edit) => edit.b },
    ], data.edits),
  });
}

function drawMoves() {
  const { moves } = data;
  if (!moves.length) return;
  const [before, after] = ["before", "after"].map((side) => (move) => move[side]?.score ?? null);
  const rows = moves.slice(0, most).map((move) => ({ name: move.name, before: before(move), after: after(move) }));
  const score = (move, side) => (move[side] ? `${fixed(move[side].score, 3)}${move[side].bounds ? fromTo(move[side].bounds) : ""}` : dash);
  const rank = (side) => ({ label: `Rank ${side}`, of: (move) => move[side]?.rank ?? null, show: (value, move) => move[side]?.rankText ?? dash, number: true });
  addSection("moves", "Builds", "The best builds before and after", `The best builds of either side, by ${data.score.label} (${data.score.up ? "more" : "less"} is better): where they were, and where they are. A build with one mark only is legal on one side only.`, {
    draw: (width) => make("div", {}, beforeAndAfter(), dumbbells("Scores of the best builds before and after", { rows, name: (row) => row.name, cap: 380, width: Math.min(width, 1000), x: { label: scoreAxis(), nice: true } })),
    table: sortable("The best builds of either side", [
      { label: "Build", of: (move) => move.build }, rank("before"), rank("after"),
      ...["before", "after"].map((side) => ({ label: `Score ${side}`, of: (move) => move[side]?.score ?? null, show: (value) => fixed(value, 3), number: true })),
      { label: "Move", of: (move) => move.by, number: true, show: (value) => value ?? dash },
      ...["before", "after"].map((side) => ({ label: `With its bounds, ${side}`, of: (move) => score(move, side), number: true })),
    ], moves),
  });
}

function drawBlame() {
  if (!data.blame) return;
  const { each, total, together } = data.blame;
  const shift = (value) => (value === null ? dash : signed(value, 4));
  const lines = [
    ...each.map((one) => ({ name: one.label, alone: one.alone, rest: one.leftOut, why: one.why })),
    { name: "All edits", alone: total, rest: null, why: null },
    ...(each.length > 1 ? [{ name: "Only together", alone: together, rest: null, why: null }] : []),
  ];
  const shown = lines.filter((line) => line.alone && line.alone[0] !== null).slice(0, most);
  const bars = shown.map((line) => ({ name: line.name, best: line.alone[0], mean: line.alone[1] }));
  const way = data.score.up ? "to the right make the best stronger" : "to the left make the best stronger: less is better";
  addSection("blame", "Blame", "Which edit is to blame", `By how much each edit, made alone, moves the best score; bars ${way}. \u201cOnly together\u201d is what no edit causes by itself. The table says also what happens when an edit alone is left out.`, {
    draw: (width) => chart("Bars of the change of the best score by edit; the table below has the numbers", {
      width: Math.min(width, 1000), height: 60 + 24 * bars.length, ...namesAxis(bars.map((bar) => bar.name), width, { cap: 380, share: 0.5 }), marginRight: 60, marginTop: 42,
      x: { label: "change of the best score", axis: "top", grid: true, ticks: width < 500 ? 2 : 8 },
      marks: [
        Plot.barX(bars, { x: "best", y: "name", fill: (bar) => ((bar.best > 0) === data.score.up ? "var(--bad)" : "var(--accent)"), insetTop: 4, insetBottom: 4, rx: 2 }),
        Plot.text(bars, { x: (bar) => Math.max(0, bar.best), y: "name", text: (bar) => signed(bar.best, 3), textAnchor: "start", dx: 5, fill: "var(--soft)", fontSize: 11 }),
        Plot.ruleX([0], { stroke: "var(--soft)" }),
      ],
    }),
    table: sortable("Blame", [
      { label: "Edit", of: (line) => line.name },
      { label: "Alone: best", of: (line) => line.alone?.[0] ?? null, show: shift, number: true }, { label: "Alone: top 100", of: (line) => line.alone?.[1] ?? null, show: shift, number: true },
      { label: "Left out: best", of: (line) => line.rest?.[0] ?? null, show: shift, number: true }, { label: "Left out: top 100", of: (line) => line.rest?.[1] ?? null, show: shift, number: true },
      { label: "Remark", of: (line) => line.why },
    ], lines),
  });
}

function drawLifts() {
  const { lifts } = data;
  if (!lifts.length) return;
  const name = (row) => row.part;
  addSection("lifts", "Lift", "What the best builds have in common, before and after", "The lift of each option: how much commoner it is in the top 1 % than among all builds. Options that changed most come first.", {
    draw: (width) => make("div", {}, beforeAndAfter(), dumbbells("Lift of options before and after", { rows: lifts.slice(0, 24), name, width: Math.min(width, 900), x: { label: "lift in the top 1 %", zero: true, nice: true } })),
    table: sortable("Lift in the top 1 %", [
      { label: "Option", of: (row) => row.part }, { label: "Before", of: (row) => row.before, number: true }, { label: "After", of: (row) => row.after, number: true },
    ], lifts),
  });
}

function drawNewAndLost() {
  const { front } = data;
  if (!front || !front.members.length) return;
  addSection("front", "Pareto front", "The best for their price, before and after", `The Pareto front had ${whole.format(front.before)} builds before and has ${whole.format(front.after)} now: builds that no other matches in every scenario at no higher cost.`, {
    table: sortable(`New and lost members${front.hidden ? `; ${whole.format(front.hidden)} more are not in this file` : ""}`, [
      { label: "Build", of: (member) => member.build }, { label: "New or lost", of: (member) => member.is },
    ], front.members),
  });
}

function drawFindings() {
  if (!data.findings.length) return;
  addSection("findings", "Findings", "Findings of check", "What `check` finds in one of the two rulesets only.", {
    table: sortable("New and fixed findings", [{ label: "Finding", of: (finding) => finding.text }, { label: "New or fixed", of: (finding) => finding.is }], data.findings),
  });
}
