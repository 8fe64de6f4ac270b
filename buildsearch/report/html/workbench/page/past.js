// Undo and redo: states by their text. A drag is one step, from where it began to where it ended.
const past = [];
const future = [];
let begun = null;

/** Something is about to change for good. */
function change(how) {
  const was = begun ?? stateText();
  begun = null;
  how();
  if (stateText() !== was) { past.push(was); future.length = 0; }
  settled();
}
/** Something changes while it is dragged. */
function drag(how) {
  begun ??= stateText();
  how();
  moved();
}
function goBack(from, to) {
  if (!from.length) return;
  to.push(stateText());
  takeState(from.pop());
  settled();
}
const undo = () => goBack(past, future);
const redo = () => goBack(future, past);
document.getElementById("undo").addEventListener("click", undo);
document.getElementById("redo").addEventListener("click", redo);
document.getElementById("reset").addEventListener("click", () => change(() => { const locks = new Set(now.locks); takeState(""); now.locks = locks; }));
addEventListener("keydown", (event) => {
  const isText = /^(text|search|number|)$/.test(event.target.matches?.("input, textarea") ? event.target.type : "none");
  if (!(event.ctrlKey || event.metaKey) || isText) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || (key === "z" && event.shiftKey)) redo();
  else return;
  event.preventDefault();
});

/** The state is where it is to stay for now: into the address with it. */
function settled() {
  const text = stateText();
  // An address that is only another state of this page; the history of the browser is left alone.
  if (location.hash.slice(1) !== text) location.replace(`#${text}`);
  document.getElementById("undo").disabled = !past.length;
  document.getElementById("redo").disabled = !future.length;
  document.getElementById("reset").disabled = !isMoved();
  drawControls();
  for (const { changed } of moreState) changed();
  moved();
}
addEventListener("hashchange", () => {
  const text = location.hash.slice(1);
  if (text !== stateText()) { past.push(stateText()); future.length = 0; tellUnknown(takeState(text)); settled(); }
});
