// The game in numbers, before and after, and what is too strong in it.
const viableOf = (one) => one.freedom?.find((each) => each.least === 0.8) ?? one.freedom?.[0];
const figures = [
  ["viable", "Viable options", (one) => viableOf(one)?.options, (value, one, isAfter) => (isAfter ? `${say(value)} of ${viableOf(one)?.of ?? 0}` : say(value))],
  ["best", `Best build${data.score.unit ? `, ${data.score.unit}` : ""}`, (one) => one.best?.score, (value) => shownScore(value)],
  ["benchmark", "Benchmark", (one) => one.reference, (value) => shownScore(value)],
  ["overpowered", "Overpowered builds", (one) => one.overpowered?.builds, (value, one) => `${one.overpowered?.isLow ? "\u2265" : ""}${say(value)}`],
  ["builds", "Legal builds", (one) => one.builds, (value, one) => (one.kept === undefined || one.kept === 1 ? say(value) : `${say(value)} (${percent(one.kept)})`)],
];
const shownScore = (value) => (value == null ? dash : data.score.scale === "probability" ? percent(value, 1) : fixed(value));
let today;
function drawFigures(answer) {
  document.getElementById("figures").replaceChildren(...figures.map(([id, label, of, show]) => {
    const [was, is] = [of(today), of(answer)];
    const texts = [show(was, today, was === is), show(is, answer, true)];
    return make("div", { class: `figure-${id.replace(".", "-")}` }, make("dt", {}, label), make("dd", { "data-figure": id, "data-before": was ?? "", "data-after": is ?? "" },
      was === is ? null : make("span", { class: "was" }, `${texts[0]} \u2192 `), texts[1]));
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
  section.replaceChildren(...[make("h2", {}, isMoved() ? "Still wrong" : "What is wrong"),
    answer.silent && make("p", { class: "note", id: "silent" }, answer.silent),
    make("h3", {}, "Must-haves"),
    list(answer.mustHaves, "No must-have.", (item) => [
      make("span", {}, make("strong", {}, together(item.choices)), `: builds with it are ${better(item.factor)}${item.isOpen ? " (open: sampled)" : ""}.${was.has(together(item.choices)) || !isMoved() ? "" : " New."}`)], { "data-must": "" }),
    answer.hidden?.length ? list(answer.hidden, "", (item) => make("span", {}, make("strong", {}, together(item.choices)), ` and ${together(item.others)} replace each other: without both the best is ${say(item.score, 4)}.`)) : null,
    make("h3", {}, "Overpowered builds"),
    over.builds ? make("p", {}, `${many} ahead of the benchmark by more than ${data.score.scale === "probability" ? `odds of ${data.limits.odds}` : percent(data.limits.margin)}${open}. The best of them:`) : make("p", { class: "empty" }, "No build is overpowered."),
    over.builds ? list(over.some, "", (build) => [make("span", {}, nameOf(build), " ", make("small", { class: "type" }, data.groups[build.group])), make("b", {}, say(build.score, 4))]) : null,
    ...decidedLines(answer.decided, list),
    isMoved() ? null : make("p", { class: "empty" }, "Causes and the smallest fix: ", make("code", {}, "buildsearch analyze"), " and ", make("code", {}, "buildsearch balance"), ".")].filter(Boolean));
}
/** Fights that are over before they begin; means alone do not always tell. */
function decidedLines(decided, list) {
  if (!decided) return [];
  const more = decided.open ? ` ${decided.open}${decided.found.length ? " more" : ""} may; run analyze to find out.` : "";
  const many = decided.found.length === 1 ? "1 wins" : `${decided.found.length} win`;
  const said = decided.found.length ? `Of the best ${decided.of} builds ${many} scenarios with ${percent(data.limits.instant_weight)} of the weight in the fewest possible turns.` : `None of the best ${decided.of} builds is sure to win half of the scenarios in the fewest possible turns.`;
  return [make("h3", {}, "Instant wins"), make("p", { class: decided.found.length ? null : "empty", id: "decided", "data-found": decided.found.length, "data-open": decided.open }, said + more),
    decided.found.length ? list(decided.found.slice(0, 3), "", (build) => [make("span", {}, nameOf(build), " ", make("small", { class: "type" }, build.fights.map((fight) => data.fights[fight]).join(", "))), make("b", {}, say(build.score, 4))]) : null];
}
const isMoved = () => now.edits.size > 0 || isWeighed() || moreState.some(({ words }) => words().length > 0);

function drawNotes(answer) {
  const said = [];
  if (!answer.builds) said.push(["warning", "No build is left under these edits."]);
  if (!answer.isClosed) said.push(["warning", `Unknown: these edits make builds legal that were not scored. Run optimize with ${data.commands.over_budget} to include them.`]);
  const { rescored } = answer;
  if (rescored && !rescored.isWhole) said.push(["warning", `So far ${whole.format(rescored.builds)} of ${whole.format(data.builds)} builds are scored under the new values; the page is about those.`]);
  if (rescored?.isWhole) said.push(["note", `All builds are scored under the new values.${rescored.complete === null ? "" : ` Builds better than ${say(rescored.complete, 4)} are all on this page.`}`]);
  if (data.leftOut && !rescored) said.push(["note", `${whole.format(data.leftOut)} of ${whole.format(data.builds)} builds are not in this file: ${data.sure === null ? "none can be the best with any option at higher costs; counts are those of this file" : `builds better than ${say(data.complete, 4)} are all here, and what one reaches is exact as long as it is better than ${say(data.sure, 4)}`}.`]);
  if (isWeighed()) said.push(["note", "The weights are not those of the run."]);
  if (told) said.push(["note", told]);
  document.getElementById("notes").replaceChildren(...said.map(([kind, text]) => make("p", { class: kind }, text)));
}
let told = "";
function tell(text) { told = text; if (lastAnswer) drawNotes(lastAnswer); }
const tellUnknown = (words) => tell(words.length ? `These rules have no such edit: ${words.join(", ")}.` : "");

/** The picture of the game now and after the edits; it moves while a cost is dragged. */
let drawPicture = () => {};
function makePicture() {
  const place = document.getElementById("picture");
  const movedParts = () => new Set(editsNow().flatMap((edit) => (edit.prices ?? []).map((each) => each[1])));
  const rowOf = (label, one, moved) => ({
    label, benchmark: one.reference, band: one.band,
    dots: (one.reaches ?? []).filter((reach) => reach.counts).map((reach) => ({ name: choiceName(reach), score: reach.score, build: nameOf({ parts: reach.best, group: 0 }), hasCause: moved.has(reach.part) }))
      .sort((a, b) => (data.score.up ? b.score - a.score : a.score - b.score)),
  });
  drawPicture = (answer) => {
    const moved = movedParts();
    const rows = [rowOf("now", today, moved), ...(isMoved() && answer.builds ? [rowOf("after", answer, moved)] : [])];
    place.replaceChildren(picture({ rows, isLog: data.score.scale === "positive", isShare: data.score.scale === "probability", up: data.score.up, unit: data.score.unit ?? "", cause: "" }, Math.max(280, place.clientWidth)));
  };
  addEventListener("resize", () => { if (lastAnswer) drawPicture(lastAnswer); });
}
