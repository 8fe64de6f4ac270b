/** The ranked table: search, filters, order, and a click for everything about a build. */
function drawLeaderboard(section) {
  const page = innerWidth < 760 ? 10 : 20;
  const state = { shown: page, key: "rank", down: false, open: new Set() };
  const variants = new Map();
  for (const { variantOf } of data.rows) if (variantOf != null) variants.set(variantOf, (variants.get(variantOf) ?? 0) + 1);
  // Not the largest of all: one hopeless build would make every other bar a dot.
  const tops = data.fights.map((_, i) => d3.quantile(data.rows, 0.9, (row) => row.means[i]) || 1);
  const columns = [
    { key: "rank", label: "Rank", of: (row) => row.rank, number: true },
    { key: "build", label: capital(data.noun), of: buildName, wide: true },
    ...(data.hasCosts ? [{ key: "cost", label: "Cost", of: (row) => row.cost, number: true }] : []),
    { key: "score", label: "Score", of: (row) => row.score, number: true },
    ...(data.options?.reference != null ? [{ key: "ahead", label: "\u00d7 benchmark", of: (row) => row.ahead, number: true }] : []),
    ...data.fights.map((fight, i) => ({ key: `fight-${i}`, label: capital(fight), of: (row) => row.means[i], number: true, fight: i })),
  ];

  const example = data.free.length ? `e.g. ${data.parts[data.free[0]].name}` : "";
  const search = make("input", { type: "search", id: "search", placeholder: example, autocomplete: "off" });
  const free = data.free.map((part) => [part, data.parts[part].name]).sort((a, b) => compare(a[1], b[1]));
  const options = (some, any) => [make("option", { value: "" }, any), ...some.map(([value, name]) => make("option", { value }, name))];
  const group = make("select", { id: "group" }, options(data.groups.map((name, i) => [i, name]), "any"));
  const having = make("select", { id: "with" }, options(free, "anything"));
  const lacking = make("select", { id: "without" }, options(free, "nothing"));
  const low = make("input", { type: "number", id: "cost-from", placeholder: "from", "aria-label": "Cost from" });
  const high = make("input", { type: "number", id: "cost-to", placeholder: "to", "aria-label": "Cost to" });
  const order = make("select", { id: "order" }, columns.map((column) => make("option", { value: column.key }, column.label)));
  const known = data.rows.map((row, i) => [i, `${rankText(row)}: ${buildName(row) || data.groups[row.group]}`]);
  const other = make("select", { id: "compare-with" }, options(known, "nothing"));
  other.value = data.compared ?? "";
  const field = (text, control) => make("label", {}, text, control);
  const filters = make("div", { class: "filters", role: "search", "aria-label": "Filter the leaderboard" },
    field("Search", search), field(capital(data.groupedBy), group), field("With", having), field("Without", lacking),
    data.hasCosts ? make("div", {}, make("label", { for: "cost-from" }, "Cost"), make("div", { class: "pair" }, low, high)) : null,
    field("Sort by", order), field("Compare with", other));
  const count = make("p", { class: "count", role: "status", id: "count" });
  const body = make("tbody", { role: "rowgroup" });
  const heads = columns.map((column) => {
    const button = make("button", { type: "button" }, column.label);
    button.addEventListener("click", () => {
      state.down = state.key === column.key ? !state.down : false;
      state.key = column.key;
      order.value = column.key;
      draw();
    });
    return make("th", { scope: "col", role: "columnheader", class: column.number ? "number" : null }, button);
  });
  const table = make("table", { class: "board", role: "table", "aria-label": "Leaderboard" },
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, heads)), body);
  const more = make("button", { type: "button", class: "quiet more" }, "Show more");
  more.addEventListener("click", () => { state.shown += page; draw(); });

  const texts = new Map(data.rows.map((row) => [row, [row.build, buildName(row), ...groupsOf(row).map((each) => data.groups[each])].join(" ").toLowerCase()]));
  const has = (row, part) => row.parts.some(([own]) => own === Number(part));
  function fits(row) {
    const words = search.value.toLowerCase().split(/[\s+,]+/).filter(Boolean);
    return words.every((word) => texts.get(row).includes(word))
      && (group.value === "" || groupsOf(row).includes(Number(group.value)))
      && (having.value === "" || has(row, having.value))
      && (lacking.value === "" || !has(row, lacking.value))
      && (low.value === "" || row.cost >= Number(low.value))
      && (high.value === "" || row.cost <= Number(high.value));
  }

  /** How much more or less than the build that is compared with; in words whether that is good. */
  function against(row, column, up) {
    const compared = other.value === "" ? null : data.rows[Number(other.value)];
    const [mine, its] = compared === null ? [null, null] : [column.of(row), column.of(compared)];
    if (row === compared || typeof mine !== "number" || typeof its !== "number") return null;
    const gain = up ? mine - its : its - mine;
    const judged = Math.abs(gain) < 0.005 ? "as good" : gain > 0 ? "better" : "worse";
    return make("span", { class: "plus-minus against" }, `${signed(mine - its)} ${judged}`);
  }

  function cell(row, column, isFolded) {
    const attributes = { role: "cell", "data-label": column.key === "rank" ? "Rank " : column.label, class: [column.number ? "number" : "", column.wide ? "wide" : "", column.key === "rank" ? "rank" : ""].join(" ").trim() || null };
    if (column.key === "rank") return make("td", attributes, rankText(row));
    if (column.key === "build" && row.members) {
      const members = row.members.map((member) => make("span", { class: "member" }, partsText(member.parts).join(" + ")));
      return make("td", attributes, make("button", { type: "button", class: "name" }, members), make("span", { class: "type" }, row.status));
    }
    if (column.key === "build") {
      const names = partNames(row);
      const button = make("button", { type: "button", class: "name" }, names.join(" + ") || data.groups[row.group]);
      const flags = row.flags.split(" ").filter((flag) => flag && flag !== "tied" && flag !== "rank_range").map((flag) => make("span", { class: "flag" }, flag));
      return make("td", attributes, button, flags, names.length ? make("span", { class: "type" }, data.groups[row.group]) : null, isFolded ? variantsButton(row) : null);
    }
    if (column.key === "score") return make("td", attributes, make("strong", {}, fixed(row.score)), against(row, column, data.score.up), plusMinus(row));
    if (column.fight !== undefined) return make("td", attributes, fixed(row.means[column.fight]), against(row, column, data.primary.up), meter((row.means[column.fight] ?? 0) / tops[column.fight]));
    return make("td", attributes, say(column.of(row)));
  }

  /** How many variants an idea has, to be shown below it. */
  function variantsButton(row) {
    const many = variants.get(row.rank);
    if (row.variantOf != null || !many) return null;
    const isOpen = state.open.has(row.rank);
    const button = make("button", { type: "button", class: "quiet variants", "aria-expanded": String(isOpen) }, `${isOpen ? "Hide" : "Show"} ${many} variant${many === 1 ? "" : "s"}`);
    button.addEventListener("click", (event) => { event.stopPropagation(); if (!state.open.delete(row.rank)) state.open.add(row.rank); draw(); });
    return button;
  }

  function draw() {
    const column = columns.find((each) => each.key === state.key);
    // The first click puts the best first, whichever way the numbers run.
    const up = column.key === "ahead" || column.key === "score" ? column.key === "ahead" || data.score.up : column.fight !== undefined && data.primary.up;
    const sign = (state.down ? -1 : 1) * (up ? -1 : 1);
    const fitting = data.rows.filter(fits);
    // Variants fold under their idea while builds are in the order of ranks and nothing is searched for.
    const isFolded = ["rank", "score"].includes(state.key) && !state.down && fitting.length === data.rows.length;
    const some = fitting.filter((row) => !isFolded || row.variantOf == null || state.open.has(row.variantOf)).sort((a, b) => sign * compare(column.of(a), column.of(b)) || a.rank - b.rank);
    heads.forEach((head, i) => {
      if (columns[i] === column) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...some.slice(0, state.shown).map((row) => {
      const line = make("tr", { role: "row", class: row.variantOf == null ? null : "variant" }, columns.map((each) => cell(row, each, isFolded)));
      line.addEventListener("click", () => openCard(row));
      return line;
    }));
    const kinds = data.kind === "run" ? ", and the best of every kind" : "";
    const all = data.rows.length < data.builds
      ? `${whole.format(data.rows.length)} of ${whole.format(data.builds)} ${data.noun}s are in this file: the best${kinds}`
      : `every ${data.noun} is in this file`;
    count.textContent = fitting.length === data.rows.length ? `${capital(all)}.` : `${whole.format(fitting.length)} ${data.noun}${fitting.length === 1 ? " fits" : "s fit"}; ${all}.`;
    more.hidden = some.length <= state.shown;
  }
  for (const control of [search, group, having, lacking, low, high, other]) control.addEventListener("input", () => { state.shown = page; draw(); });
  order.addEventListener("input", () => { state.key = order.value; state.down = false; draw(); });
  const better = data.score.up ? "more" : "less";
  section.append(
    make("p", { class: "lead" }, `Score: ${data.score.label}, ${better} is better. ${data.options?.reference != null ? `The benchmark, what a good build around a typical option reaches, is ${say(data.options.reference)}; \u00d7 benchmark says how many times better a ${data.noun} is. ` : ""}Each scenario shows ${data.primary.label}; bars compare ${data.noun}s within a scenario. Choose a ${data.noun} to see what makes it work.`),
    filters, count, table, more);
  draw();
}

function rankText(row) {
  // Builds of a run come with the words of its leaderboard.
  if (row.rankText) return row.rankText.replace("-", dash);
  const [best, worst] = row.ranks;
  // A range wider than its tie is open, be it for an exact build among sampled ones.
  if (worst > best && (row.half || worst - best >= row.tied)) return `${best}${dash}${worst}`;
  return `${row.rank}${row.tied > 1 ? "=" : ""}`;
}
// Bounds that ranks follow from, or half the width of an interval; nothing where a number is exact.
const fromTo = (ends) => ends.includes(null) ? " (estimated)" : ` (${fixed(ends[0])} to ${fixed(ends[1])})`;
const errorText = (row) => (row.bounds ? fromTo(row.bounds) : row.half ? ` \u00b1${say(row.half, 2)}` : "");
const plusMinus = (row) => (errorText(row) ? make("span", { class: "plus-minus" }, errorText(row)) : null);
