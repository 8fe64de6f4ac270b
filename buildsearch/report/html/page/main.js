const pages = {
  run: [drawEarlier, drawOptions, drawSaturation, drawFront, drawSpread],
  loadouts: [drawUsage, drawContributions, drawSynergy, drawMembers],
};
drawHead();
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
// Paper is white, and what is folded up on it cannot be opened: findings are unfolded.
const folded = [...document.querySelectorAll(".findings details")];
let before;
addEventListener("beforeprint", () => {
  before = { theme: document.documentElement.dataset.theme, open: folded.map((each) => each.open) };
  document.documentElement.dataset.theme = "light";
  for (const each of folded) each.open = true;
  redrawAll();
});
addEventListener("afterprint", () => {
  if (before.theme) document.documentElement.dataset.theme = before.theme;
  else delete document.documentElement.dataset.theme;
  folded.forEach((each, i) => { each.open = before.open[i]; });
  redrawAll();
});

const dialog = document.getElementById("card");
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
document.documentElement.dataset.ready = "";
