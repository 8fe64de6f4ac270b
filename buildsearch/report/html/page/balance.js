/** Proposals for balance: today and each of them, side by side. */
function drawProposals() {
  const { lines, heads, proposals } = data;
  const number = (text) => (/^-?[0-9.]+%?$/.test(text) ? parseFloat(text) : text);
  addSection("proposals", "Proposals", "Today and every proposal", "One line each: what is edited, and what the game is like then. No proposal here is beaten by another in everything.", {
    table: sortable("Today and every proposal", [
      { label: "Proposal", of: (line) => (line[0] === "today" ? "Today" : `${line[0]}. ${proposals[Number(line[0]) - 1].title}`) },
      ...heads.slice(1).map((head, i) => ({ label: capital(head), of: (line) => number(line[i + 1]), show: (value) => (heads[i + 1].startsWith("builds") || heads[i + 1].startsWith("ranks") ? `${value}%` : say(value, 5)), number: true })),
    ], lines, { tall: false }),
  });
}

function drawFreedomAndLoss() {
  const dots = data.proposals.map((one, i) => ({ name: String(i + 1), kept: 100 * one.kept, free: one.free[1] }));
  if (dots.length < 2) return;
  addSection("front", "Front", "Freedom against builds kept", "Each number is a proposal: further up more options are viable, further right more of today\u2019s builds stay.", {
    draw: (width) => chart("Proposals by builds kept and viable options; the table above has the numbers", {
      width: Math.min(width, 700), height: 320, marginLeft: 50, marginBottom: 45,
      x: { label: "builds kept (%)", nice: true, grid: true }, y: { label: "viable options (at 0.8)", nice: true, grid: true },
      marks: [
        Plot.dot(dots, { x: "kept", y: "free", r: 11, fill: "var(--accent)" }),
        Plot.text(dots, { x: "kept", y: "free", text: "name", fill: "var(--panel)", fontWeight: 700 }),
      ],
    }),
  });
}

function drawConsequences() {
  const rows = data.proposals.flatMap((one, i) => one.findings.map((finding) => ({ ...finding, proposal: i + 1 })));
  const said = data.proposals.map((one, i) => make("li", {}, make("b", {}, `${i + 1}. ${one.title}`), " ", one.remarks.join(" "), " ", make("code", {}, one.edits.join("; "))));
  addSection("consequences", "Findings", "What each proposal does", "Findings that it ends, that stay, and that are new.", {
    draw: () => make("ul", {}, said),
    table: sortable("Findings by proposal", [
      { label: "Finding", of: (row) => row.kind }, { label: "Who", of: (row) => row.who }, { label: "Proposal", of: (row) => row.proposal, number: true }, { label: "What becomes of it", of: (row) => row.is },
    ], rows),
  });
}
