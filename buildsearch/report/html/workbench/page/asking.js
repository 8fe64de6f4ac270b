// The worker, made of a text of this page. While it thinks, only the last question waits: a drag never piles up.
const worker = new Worker(URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" })));
let asked = 0;
let waiting = null;
const answers = new Map();
function post(question) {
  asked += 1;
  const number = asked;
  return new Promise((resolve, reject) => { answers.set(number, { resolve, reject }); worker.postMessage({ number, ...question }); });
}
worker.addEventListener("message", ({ data: { number, answer, problem } }) => {
  const { resolve, reject } = answers.get(number);
  answers.delete(number);
  if (problem) reject(new Error(problem)); else resolve(answer);
});
worker.addEventListener("error", (event) => fail(event.message));
function fail(why) {
  const loading = document.getElementById("loading");
  loading.hidden = false;
  loading.className = "warning";
  loading.textContent = `The workbench cannot go on: ${why || "the browser does not let it start a worker"}. A current Chromium, Firefox or Safari can.`;
}
/** Asks anew; resolves once what is asked by then is drawn. */
let drawing = null;
function moved() {
  waiting = { edits: editsNow(), weights: now.weights, filters: filtersNow() };
  drawing ??= drawAnswers();
  return drawing;
}
async function drawAnswers() {
  while (waiting) {
    const question = waiting;
    waiting = null;
    try { drawAnswer(await post(question)); } catch (error) { fail(error.message); waiting = null; }
  }
  drawing = null;
  document.documentElement.dataset.settled = String(asked);
}
