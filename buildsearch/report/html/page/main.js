const pages = {
  run: [drawEarlier, drawOptions, drawSaturation, drawFront, drawSpread],
  loadouts: [drawUsage, drawContributions, drawSynergy, drawMembers],
  history: [drawLevels, drawFreedom, drawBroken, drawUnmeasured],
  meta: [drawShares, drawMatrix, drawCycles],
  diff: [drawEdits, drawMoves, drawBlame, drawLifts, drawNewAndLost, drawFindings],
};
if (data.rows) drawLeaderboard(document.getElementById("leaderboard"));
for (const draw of pages[data.kind]) draw();

document.getElementById("contents").append(
  ...[...document.querySelectorAll("section[data-title]")].map((section) => make("a", { href: `#${section.id}` }, section.dataset.title)));

offerTheme(redrawAll);

let width = innerWidth;
let waiting;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => { if (innerWidth !== width) { width = innerWidth; redrawAll(); } }, 120);
});
// Paper is white, and what is folded up on it cannot be opened: the evidence is unfolded.
const evidence = document.querySelector(".evidence");
let before;
addEventListener("beforeprint", () => {
  before = { theme: document.documentElement.dataset.theme, open: evidence?.open };
  document.documentElement.dataset.theme = "light";
  if (evidence) evidence.open = true;
  redrawAll();
});
addEventListener("afterprint", () => {
  if (before.theme) document.documentElement.dataset.theme = before.theme;
  else delete document.documentElement.dataset.theme;
  if (evidence) evidence.open = before.open;
  redrawAll();
});

const dialog = document.getElementById("card");
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
document.documentElement.dataset.ready = "";
