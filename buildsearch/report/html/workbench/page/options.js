// Every option with its price on a slider, and what one reaches with it: before and after.
const optionRows = new Map(); // "part level": the pieces of its row
let optionList;
const keyOf = (choice) => `${choice.part} ${choice.level}`;
const choiceName = (choice) => data.parts[choice.part].name + (choice.level > 1 ? ` \u00d7${choice.level}` : "");

function makeOptions(today) {
  const section = document.getElementById("options");
  optionList = make("ul", { class: "options", tabindex: "0", "aria-label": "Options" });
  const order = make("select", { id: "order" }, optionsOf([["flagged", "what stands out first"], ["rules", "as in the rules"], ["mean", "the strongest first"], ["viability", "the most viable first"], ["name", "by name"], ["moved", "moved first"]]));
  const search = make("input", { type: "search", id: "find", autocomplete: "off" });
  order.addEventListener("change", sortOptions);
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { row, name } of optionRows.values()) row.hidden = !words.every((word) => name.toLowerCase().includes(word));
  });
  section.append(
    make("p", { class: "lead" }, "Drag a cost. Viability: how close to the best build you get with this option; 100%: it is in a best build."),
    ...(data.proposals.length ? [make("p", { class: "row try" }, "Try: ", data.proposals.map((proposal, i) => {
      const button = make("button", { type: "button", class: "quiet", id: `try-${i}`, title: proposal.text }, proposal.label);
      button.addEventListener("click", () => tryEdits(proposal.edits.map((text) => byText.get(text)).filter(Boolean), { alone: true }));
      return button;
    }))] : []),
    make("p", { class: "legend" }, make("span", { class: "before" }), " now  ", make("span", { class: "after" }), " after"),
    make("div", { class: "fields" }, field("Find", search), field("Order", order)), optionList);
  const prices = new Map(levers.filter(isPrice).map((lever) => [lever.edits[0].prices[0][1], lever]));
  const shown = new Map(today.reaches.map((reach) => [keyOf(reach), reach]));
  // What builds choose comes first, then what comes with their group.
  const parts = [...data.free, ...data.parts.map((_, part) => part).filter((part) => !data.free.includes(part))];
  const all = parts.flatMap((part) => Array.from({ length: data.most[part] }, (_each, i) => ({ part, level: i + 1 })));
  for (const choice of all) {
    const lever = choice.level === 1 ? prices.get(choice.part) : undefined;
    if (lever || shown.has(keyOf(choice))) addOption(choice, lever, shown.get(keyOf(choice)));
  }
  sortOptions();
}
function addOption(choice, lever, before) {
  const part = data.parts[choice.part];
  const name = choiceName(choice);
  const id = `price-${choice.part}`;
  const pieces = { choice, lever, name, before, place: optionRows.size };
  if (lever) {
    pieces.price = priceOf(lever);
    const values = [pieces.price, ...lever.edits.map(valueOf)];
    pieces.slider = make("input", { type: "range", id, min: Math.min(...values), max: Math.max(...values), step: 1, value: pieces.price, "data-option": part.id });
    pieces.output = make("output", { for: id });
    const take = () => move(lever.name, lever.edits.find((edit) => valueOf(edit) === Number(pieces.slider.value)));
    pieces.slider.addEventListener("input", () => { drag(take); drawOption(pieces); });
    pieces.slider.addEventListener("change", () => change(take));
    pieces.lock = make("button", { type: "button", class: "lock", "aria-pressed": "false", "aria-label": `Lock ${name}`, title: "Keep it as it is" }, "Lock");
    pieces.lock.addEventListener("click", () => change(() => { if (!now.locks.delete(part.id)) now.locks.add(part.id); }));
  }
  pieces.after = make("i");
  pieces.mark = make("u");
  pieces.track = make("span", { class: "track", role: "img" }, pieces.after, before ? pieces.mark : null);
  pieces.text = make("span");
  const label = lever ? make("label", { for: id }, name) : name;
  pieces.row = make("li", { class: "option", "data-choice": part.id + (choice.level > 1 ? ` x${choice.level}` : "") }, pieces.lock ?? make("span"),
    make("span", { class: "title", title: part.summary }, label),
    lever ? make("span", { class: "price" }, pieces.slider, pieces.output) : make("span", { class: "price" }),
    make("span", { class: "viability" }, pieces.track, pieces.text));
  if (before) pieces.mark.style.left = `${100 * before.viability}%`;
  optionRows.set(keyOf(choice), pieces);
  optionList.append(pieces.row);
  return pieces;
}
const valueOf = (edit) => edit.writes[0].value;
/** Today's price of a lever: an edit says its own, and how far that is. */
const priceOf = (lever) => valueOf(lever.edits[0]) - lever.edits[0].prices[0][2];

/** The control of an option where the state has it. */
function drawOption({ choice, lever, price, slider, output, lock, row, name }) {
  if (!lever) return;
  const edit = now.edits.get(lever.name);
  const value = edit ? valueOf(edit) : price;
  const isKept = now.locks.has(data.parts[choice.part].id);
  if (Number(slider.value) !== value) slider.value = value;
  slider.disabled = isKept;
  slider.setAttribute("aria-label", `Cost of ${name}`);
  output.replaceChildren(String(value), ...(edit ? [make("small", {}, ` was ${price}`)] : []));
  row.classList.toggle("moved", Boolean(edit));
  lock.setAttribute("aria-pressed", String(isKept));
}
function drawReaches(answer) {
  const found = new Map((answer.reaches ?? []).map((reach) => [keyOf(reach), reach]));
  for (const [key, reach] of found) if (!optionRows.has(key)) drawOption(addOption({ part: reach.part, level: reach.level }));
  for (const [key, pieces] of optionRows) {
    const reach = found.get(key);
    const [was, is] = [pieces.before?.viability ?? null, reach?.viability ?? null];
    pieces.viability = is;
    pieces.mean = reach?.mean ?? null;
    pieces.row.dataset.mean = reach?.mean ?? "";
    pieces.after.style.width = `${100 * (is ?? 0)}%`;
    pieces.row.classList.toggle("gone", is === null);
    pieces.row.dataset.viability = is ?? "";
    pieces.row.dataset.best = reach?.score ?? "";
    const low = reach?.isLow ? "at least " : "";
    pieces.track.setAttribute("aria-label", `Viability of ${pieces.name}: ${percent(was)} now, ${is === null ? "in no build" : low + percent(is)} after`);
    pieces.text.replaceChildren(...(was !== null && percent(was) !== percent(is) ? [`${percent(was)} \u2192 `] : []), make("b", {}, is === null ? "none" : `${reach.isLow ? "\u2265" : ""}${percent(is)}`));
    pieces.text.title = reach?.like != null ? `acts like ${data.parts[reach.like].name}, so it counts once` : reach ? `best with it: ${say(reach.score, 4)}, mean of its ten best builds: ${say(reach.mean, 4)}` : "";
  }
}
/** What is too strong comes first, then what is too weak, each side the farthest from the benchmark first. */
function flaggedness({ before, choice }) {
  if (!before || !today.band) return 0;
  const isMust = today.mustHaves.some(({ choices }) => choices.some((each) => each.part === choice.part && each.level === choice.level));
  const [low, high] = today.band, score = before.score;
  if (!isMust && score >= low && score <= high) return 0;
  const isStrong = isMust || (data.score.up ? score > high : score < low);
  return (isMust ? 4e6 : isStrong ? 2e6 : 1e6) + Math.abs(Math.log(Math.max(score, 1e-9) / Math.max(today.reference, 1e-9)));
}
function sortOptions() {
  const places = [...optionRows.values()];
  const by = {
    rules: (a, b) => a.place - b.place,
    flagged: (a, b) => flaggedness(b) - flaggedness(a) || a.place - b.place, name: (a, b) => a.name.localeCompare(b.name), viability: (a, b) => (b.viability ?? -1) - (a.viability ?? -1),
    mean: (a, b) => Number(a.mean === null) - Number(b.mean === null) || (data.score.up ? -1 : 1) * ((a.mean ?? 0) - (b.mean ?? 0)),
    moved: (a, b) => Number(b.row.classList.contains("moved")) - Number(a.row.classList.contains("moved")),
  }[document.getElementById("order").value];
  optionList.append(...places.sort(by).map(({ row }) => row));
}
