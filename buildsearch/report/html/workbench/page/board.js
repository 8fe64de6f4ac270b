// The best builds now and after the edits, side by side, under the same filters.
const shownAtOnce = innerWidth < 760 ? 8 : 15;
const filters = { parts: [], group: null, cost: null, shown: shownAtOnce };
const filtersNow = () => ({ ...filters });
let drawBoards = () => {};

function makeBoards() {
  const section = document.getElementById("leaderboard");
  const free = data.free.map((part) => [part, data.parts[part].name]).sort((a, b) => a[1].localeCompare(b[1]));
  const having = make("select", { id: "with" }, optionsOf(free, "anything"));
  const lacking = make("select", { id: "without" }, optionsOf(free, "nothing"));
  const group = make("select", { id: "group" }, optionsOf(data.groups.map((name, i) => [i, name]), "any"));
  const cost = make("input", { type: "number", id: "cost", min: 0 });
  const more = make("button", { type: "button", class: "quiet more" }, "Show more");
  const count = make("p", { class: "count", id: "count" });
  const places = ["before", "after"].map((id) => make("div", { id: `board-${id}` }));
  const filter = () => {
    filters.parts = [[having, true], [lacking, false]].filter(([select]) => select.value !== "").map(([select, isWanted]) => [Number(select.value), isWanted]);
    filters.group = group.value === "" ? null : Number(group.value);
    filters.cost = cost.value === "" ? null : Number(cost.value);
    moved();
  };
  for (const control of [having, lacking, group, cost]) control.addEventListener("input", filter);
  more.addEventListener("click", () => { filters.shown += shownAtOnce; moved(); });
  section.append(
    make("p", { class: "lead" }, `Score: ${data.score.label}, ${data.score.up ? "more" : "less"} is better. Ranks are among all builds; filters only choose which are shown.`),
    make("div", { class: "fields", role: "search", "aria-label": "Filter the leaderboards" }, field("With", having), field("Without", lacking), data.groups.length > 1 ? field(capital(data.groupedBy), group) : null, field(`At most, ${data.accounts[0].name}`, cost)),
    count, make("div", { class: "boards" }, places), more);
  drawBoards = (answer) => {
    // Without edits both would be the same.
    places[0].hidden = !isMoved();
    places[0].replaceChildren(boardTable("Now", answer.before.rows, "Rank after", "gone"));
    places[1].replaceChildren(boardTable(isMoved() ? "After the edits" : "Best builds", answer.board.rows, "Rank now", "new"));
    count.textContent = isMoved() ? `${whole.format(answer.before.fit)} builds fit now, ${whole.format(answer.board.fit)} after the edits.` : `${whole.format(answer.board.fit)} builds fit.`;
    more.hidden = Math.max(answer.before.fit, answer.board.fit) <= filters.shown;
  };
}
function boardTable(caption, rows, other, none) {
  const head = ["Rank", "Build", "Cost", "Score", other].map((text, i) => make("th", { scope: "col", class: i === 1 ? null : "number" }, text));
  const lines = rows.map((row) => make("tr", {},
    make("td", { class: "number" }, row.rankText),
    make("td", {}, nameOf(row), partNames(row).length ? make("span", { class: "type" }, data.groups[row.group]) : null),
    make("td", { class: "number" }, row.costs.join(" / ")),
    make("td", { class: "number", title: row.means.map((mean, i) => `${data.fights[i]} ${say(mean, 4)}`).join(", ") }, fixed(row.score, 3), row.bounds ? make("span", { class: "plus-minus" }, ` (${fixed(row.bounds[0])} to ${fixed(row.bounds[1])})`) : null),
    make("td", { class: "number" }, row.other === null ? none : whole.format(row.other))));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Leaderboard ${caption.toLowerCase()}` },
    make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, head)), make("tbody", {}, lines)));
}
