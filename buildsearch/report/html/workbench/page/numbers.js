// Numbers of the rules: each change lets the server score builds again, those that matter first.
const numbers = new Map(data.server.numbers.map((number) => [number.path, number]));
now.numbers = new Map(); // path: another value
const numberRows = new Map();
let asNumbers = ""; // what the server was asked last
const numbersNow = () => Object.fromEntries([...now.numbers].sort());
let isScoring = false;
const progress = make("progress", { id: "progress", max: 1, value: 0, "aria-label": "How far scoring is", hidden: true });
const progressText = make("p", { class: "empty", id: "progress-text" });
const numberTold = make("p", { id: "number-told", role: "status" });

function setNumber(path, value) {
  if (Number.isFinite(value) && value !== numbers.get(path).value) now.numbers.set(path, value);
  else now.numbers.delete(path);
}
moreState.push({
  name: "numbers",
  words: () => Object.entries(numbersNow()).map(([path, value]) => `${path}=${value}`),
  take: (words) => {
    now.numbers.clear();
    const unknown = [];
    for (const word of words) {
      const at = word.lastIndexOf("=");
      if (numbers.has(word.slice(0, at)) && Number.isFinite(Number(word.slice(at + 1)))) setNumber(word.slice(0, at), Number(word.slice(at + 1)));
      else unknown.push(word);
    }
    return unknown;
  },
  changed: () => {
    for (const [path, pieces] of numberRows) drawNumber(path, pieces);
    if (JSON.stringify(numbersNow()) !== asNumbers) scoreAgain();
  },
});
makers.push(makeNumbers);

function makeNumbers() {
  asNumbers = JSON.stringify({});
  const section = document.getElementById("numbers");
  if (!numbers.size) { section.append(make("p", { class: "empty" }, "This run is incomplete, so it cannot be scored again under other numbers.")); return; }
  const search = make("input", { type: "search", id: "find-number", autocomplete: "off" });
  const list = make("ul", { class: "numbers", tabindex: "0", "aria-label": "Numbers of the rules" });
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { row, text } of numberRows.values()) row.hidden = !words.every((word) => text.includes(word));
  });
  for (const [path, number] of numbers) {
    const input = make("input", { type: "number", step: "any", id: `number-${numberRows.size}`, value: number.value, "data-number": path });
    const was = make("small", { class: "type" });
    const row = make("li", {}, make("label", { for: input.id }, number.about ? make("strong", {}, number.about, " ") : null, make("span", { class: "path" }, path)), input, was);
    input.addEventListener("change", () => change(() => setNumber(path, input.value === "" ? number.value : Number(input.value))));
    numberRows.set(path, { row, input, was, text: `${number.about ?? ""} ${path}`.toLowerCase() });
    list.append(row);
  }
  section.append(
    make("p", { class: "lead" }, "Change a number and builds are scored again: those that matter at once, then all. Prices are moved on the left."),
    field("Find a number", search), list, progress, progressText, numberTold);
}
function drawNumber(path, { input, was, row }) {
  const { value, line } = numbers.get(path);
  const other = now.numbers.get(path);
  if (input.value !== String(other ?? value)) input.value = other ?? value;
  was.textContent = other === undefined ? (line ? `line ${line}` : "") : `was ${value}`;
  row.classList.toggle("moved", other !== undefined);
}
function drawProgress({ stage, done, total }) {
  progress.hidden = false;
  if (total) progress.value = done / total; else progress.removeAttribute("value");
  progressText.textContent = total ? `${stage}: ${percent(done / total)}` : stage;
}
function endProgress(text) {
  progress.hidden = true;
  progressText.textContent = "";
  numberTold.textContent = text;
}
async function scoreAgain() {
  const mine = JSON.stringify(numbersNow());
  asNumbers = mine;
  document.documentElement.dataset.scored = "";
  document.documentElement.dataset.whole = "";
  endProgress("");
  await rescored(null);
  if (mine !== asNumbers) return;
  isScoring = true;
  const begunAt = performance.now();
  let [isFirst, builds] = [true, 0];
  try {
    const isDone = await follow("score", { numbers: JSON.parse(mine) }, async (line) => {
      if (mine !== asNumbers) return;
      if (line.kind === "progress") { drawProgress(line); return; }
      await rescored({ ...line, isFirst });
      isFirst = false;
      builds = line.builds;
      if (!document.documentElement.dataset.scored) document.documentElement.dataset.scored = (performance.now() - begunAt).toFixed(0);
      if (!line.whole) numberTold.textContent = `${whole.format(builds)} builds that matter are scored again; the rest follows.`;
    });
    if (mine !== asNumbers) return;
    isScoring = false;
    endProgress(isDone && builds ? `All ${whole.format(builds)} builds are scored again.` : "");
    if (isDone) document.documentElement.dataset.whole = mine;
  } catch (error) {
    if (mine === asNumbers) { isScoring = false; endProgress(error.message); document.documentElement.dataset.whole = "refused"; }
  }
}
/** Scores for the worker; what was asked meanwhile is asked once more. */
async function rescored(parcel) {
  try { await post({ rescored: parcel }); } catch (error) { fail(error.message); }
  await moved();
}
