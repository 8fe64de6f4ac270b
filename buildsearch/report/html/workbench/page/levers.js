// Bans of pairs and on types, and whatever else the rules let one move: limits, budgets, factors.
const isPrice = (lever) => lever.edits.every((edit) => edit.kind === "cost-raises" || edit.kind === "cost-cuts");
const isBan = (lever) => lever.edits.length === 1 && (lever.edits[0].kind === "pair-bans" || lever.edits[0].kind === "type-bans");
const titleOf = (id) => data.parts.find((part) => part.id === id)?.name ?? id;
const field = (text, control) => make("label", {}, text, control);
const optionsOf = (some, any) => [...(any === undefined ? [] : [make("option", { value: "" }, any)]), ...some.map(([value, name]) => make("option", { value }, name))];
let drawLevers = () => {};

function makeLevers() {
  const section = document.getElementById("bans");
  const bans = levers.filter(isBan);
  const others = levers.filter((lever) => !isBan(lever) && !isPrice(lever));
  if (!bans.length && !others.length) { section.hidden = true; return; }
  if (bans.length) {
    const names = [...new Set(bans.flatMap((lever) => lever.edits[0].about))].sort((a, b) => titleOf(a).localeCompare(titleOf(b)));
    const first = make("select", { id: "ban-first" }, optionsOf(names.map((name) => [name, titleOf(name)])));
    const second = make("select", { id: "ban-second" });
    const button = make("button", { type: "button", class: "quiet", id: "ban" }, "Ban together");
    const partners = () => {
      const some = bans.filter((lever) => lever.edits[0].about.includes(first.value)).map((lever) => [lever.name, titleOf(lever.edits[0].about.find((name) => name !== first.value))]);
      second.replaceChildren(...optionsOf(some.sort((a, b) => a[1].localeCompare(b[1]))));
    };
    first.addEventListener("change", partners);
    partners();
    button.addEventListener("click", () => { const lever = levers.find((each) => each.name === second.value); if (lever) tryEdits([lever.edits[0]]); });
    section.append(make("div", { class: "fields" }, field("No build has", first), field("together with", second), button));
  }
  const selects = others.map((lever) => {
    const select = make("select", { "data-lever": lever.name }, optionsOf(lever.edits.map((edit) => [edit.text, edit.words]), "as it is"));
    select.addEventListener("change", () => change(() => move(lever.name, byText.get(select.value))));
    return [lever, select];
  });
  if (selects.length) section.append(make("details", {}, make("summary", {}, `Budgets, factors and limits (${selects.length})`), make("div", { class: "fields" }, selects.map(([lever, select]) => field(lever.name, select)))));
  drawLevers = () => { for (const [lever, select] of selects) select.value = now.edits.get(lever.name)?.text ?? ""; };
}
/** Edits by a click, as one step, `alone` instead of all others; what is locked stays, and is told. */
function tryEdits(edits, { alone = false } = {}) {
  const free = edits.filter((edit) => !isLocked(edit));
  change(() => { if (alone) now.edits.clear(); for (const edit of free) move(leverOf.get(edit.text), edit); });
  tell(free.length < edits.length ? `Locked, so left as it is: ${edits.filter(isLocked).map((edit) => edit.text).join(", ")}.` : "");
}
/** The ban of some choices, if the rules let it be written. */
const banOf = (choices) => {
  if (choices.length !== 2 || choices.some((choice) => choice.level > 1)) return null;
  const ids = choices.map((choice) => data.parts[choice.part].id).sort().join();
  return levers.find((lever) => isBan(lever) && [...lever.edits[0].about].sort().join() === ids)?.edits[0] ?? null;
};
