// The game in numbers, before and after, and what is too strong in it.
const figures = [
  ["best", "Best score", (one) => one.best?.score, (value) => say(value, 4)],
  ["reference", "Benchmark", (one) => one.reference, (value) => say(value, 4)],
  ...data.limits.viable.map((least, i) => [`freedom-${least}`, `Viable at ${least}`, (one) => one.freedom?.[i].options, (value, one) => `${say(value)}/${one.freedom?.[i].of ?? 0}`]),
  ["overpowered", "Overpowered builds", (one) => one.overpowered?.builds, (value, one) => `${one.overpowered?.isLow ? "\u2265" : ""}${say(value)}`],
  ["ahead", "Best against benchmark", (one) => one.ahead, (value) => (value == null ? dash : data.score.scale === "other" ? percent(value) : `\u00d7${value.toFixed(2)}`)],
  ["builds", "Builds (kept)", (one) => one.builds, (value, one) => (one.kept === undefined || one.kept === 1 ? say(value) : `${say(value)} (${percent(one.kept, 1)})`)],
];
let today;
function drawFigures(answer) {
  document.getElementById("figures").replaceChildren(...figures.map(([id, label, of, show]) => {
    const [was, is] = [of(today), of(answer)];
    const texts = [show(was, today), show(is, answer)];
    return make("div", { class: `figure-${id.replace(".", "-")}` }, make("dt", {}, label), make("dd", { "data-figure": id, "data-before": was ?? "", "data-after": is ?? "" },
      texts[0] === texts[1] ? null : make("span", { class: "was" }, `${texts[0]} \u2192 `), texts[1]));
  }));
}
const together = (choices) => choices.map(choiceName).join(" + ");
const idOf = (choice) => data.parts[choice.part].id + (choice.level > 1 ? ` x${choice.level}` : "");
const better = (factor) => (factor === null ? dash : data.score.scale === "other" ? `better by ${percent(factor)} of the span` : `${factor.toFixed(2)} times better${data.score.scale === "probability" ? " in odds" : ""}`);
const nameOf = (build) => partNames(build).join(" + ") || data.groups[build.group];

function drawVerdict(answer) {
  const section = document.getElementById("verdict");
  const was = new Set((today.mustHaves ?? []).map(({ choices }) => together(choices)));
  const list = (items, none, of, attributes = {}) => (items?.length ? make("ul", { class: "plain" }, items.map((item) => make("li", item.choices ? { "data-choices": item.choices.map(idOf).join(" + "), "data-factor": item.factor, ...attributes } : {}, of(item)))) : make("p", { class: "empty" }, none));
  const over = answer.overpowered ?? { builds: 0, sure: 0, some: [] };
  const many = over.builds === 1 ? "1 build is" : `${whole.format(over.builds)} builds are`;
  const open = over.builds > over.sure ? ` (${whole.format(over.builds - over.sure)} by sampled scores that may still move)` : "";
  section.replaceChildren(...[make("h2", {}, "What is too strong"),
    answer.silent && make("p", { class: "note", id: "silent" }, answer.silent),
    make("h3", {}, "Must-haves"),
    list(answer.mustHaves, "No must-have.", (item) => [
      make("span", {}, make("strong", {}, together(item.choices)), `: with it one is ${better(item.factor)}${item.isOpen ? " (open: sampled)" : ""}.${was.has(together(item.choices)) || !isMoved() ? "" : " New."}`)], { "data-must": "" }),
    answer.hidden?.length ? list(answer.hidden, "", (item) => make("span", {}, make("strong", {}, together(item.choices)), ` and ${together(item.others)} replace each other: without both the best is ${say(item.score, 4)}.`)) : null,
    answer.revealed?.length ? make("p", { class: "empty" }, "Hidden by stronger combinations, and there once those below are banned:") : null,
    answer.revealed?.length ? list(answer.revealed, "", (item) => make("span", {}, make("strong", {}, together(item.choices)), `: with it one is then ${better(item.factor)}${item.isOpen ? " (open: sampled)" : ""}.`), { "data-revealed": "" }) : null,
    make("h3", {}, "Overpowered builds"),
    over.builds ? make("p", {}, `${many} ahead of the benchmark by more than ${data.score.scale === "probability" ? `odds of ${data.limits.odds}` : percent(data.limits.margin)}${open}. The best of them:`) : make("p", { class: "empty" }, "No build is overpowered."),
    over.builds ? list(over.some, "", (build) => [make("span", {}, nameOf(build), " ", make("small", { class: "type" }, data.groups[build.group])), make("b", {}, say(build.score, 4))]) : null,
    ...decidedLines(answer.decided, list),
    make("h3", {}, "Overpowered combinations, by a quick guess"),
    list(answer.culprits, answer.silent ? "Nothing is flagged." : "No combination is overpowered.", (item) => {
      const ban = banOf(item.choices);
      const button = ban && !now.edits.has(leverOf.get(ban.text)) ? make("button", { type: "button", class: "quiet small", "aria-label": `Ban ${together(item.choices)}` }, "Ban") : null;
      button?.addEventListener("click", () => tryEdits([ban]));
      return [make("span", {}, make("strong", {}, together(item.choices)), ` is in ${whole.format(item.rows)} of them, and in ${whole.format(item.builds)} of all builds.`), button];
    }),
    answer.culprits?.length && make("p", { class: "empty" }, "Bans of all of these leave no overpowered build. That no fewer would do is proved by ", make("code", {}, "buildsearch balance"), " only.")].filter(Boolean));
}
/** Fights that are over before they begin; means alone do not always tell. */
function decidedLines(decided, list) {
  if (!decided) return [];
  const more = decided.open ? ` For ${decided.open}${decided.found.length ? " more" : ""} of them the mean does not tell: analyze asks the engines.` : "";
  const many = decided.found.length === 1 ? "1 wins" : `${decided.found.length} win`;
  const said = decided.found.length ? `Of the best ${decided.of} builds ${many} scenarios with ${percent(data.limits.instant_weight)} of the weight in the fewest possible turns.` : `None of the best ${decided.of} builds is sure to win half of the scenarios in the fewest possible turns.`;
  return [make("h3", {}, "Instant wins"), make("p", { class: decided.found.length ? null : "empty", id: "decided", "data-found": decided.found.length, "data-open": decided.open }, said + more),
    decided.found.length ? list(decided.found.slice(0, 3), "", (build) => [make("span", {}, nameOf(build), " ", make("small", { class: "type" }, build.fights.map((fight) => data.fights[fight]).join(", "))), make("b", {}, say(build.score, 4))]) : null];
}
const isMoved = () => now.edits.size > 0 || isWeighed() || moreState.some(({ words }) => words().length > 0);

function drawNotes(answer) {
  const said = [];
  if (!answer.builds) said.push(["warning", "No build is left under these edits."]);
  if (!answer.isClosed) said.push(["warning", `Unknown: these edits let builds in that were not scored, so nobody knows how good the game then is. A run of optimize with ${data.commands.over_budget} scores them.`]);
  const { rescored } = answer;
  if (rescored && !rescored.isWhole) said.push(["warning", `So far ${whole.format(rescored.builds)} of ${whole.format(data.builds)} builds are scored under the new numbers: what stands here is about those.`]);
  if (rescored?.isWhole) said.push(["note", `All builds are scored under the new numbers; before is as the run has it.${rescored.complete === null ? "" : ` Builds better than ${say(rescored.complete, 4)} are all on this page.`}`]);
  if (data.leftOut && !rescored) said.push(["note", `${whole.format(data.leftOut)} of ${whole.format(data.builds)} builds are not in this file: ${data.sure === null ? "none of them can be the best with any option, whatever prices rise; numbers of builds are those of this file" : `builds better than ${say(data.complete, 4)} are all here, and what one reaches is exact as long as it is better than ${say(data.sure, 4)}`}.`]);
  if (isWeighed()) said.push(["note", "The weights are not those of the run: before is as the run has it."]);
  if (told) said.push(["note", told]);
  document.getElementById("notes").replaceChildren(...said.map(([kind, text]) => make("p", { class: kind }, text)));
}
let told = "";
function tell(text) { told = text; if (lastAnswer) drawNotes(lastAnswer); }
const tellUnknown = (words) => tell(words.length ? `These rules have no such edit: ${words.join(", ")}.` : "");
