// The files of the run on disk: when they change, this page says so and offers to go on with them.
const SECONDS_BETWEEN_LOOKS = 2;
const filesNote = make("div", { id: "files", class: "warning", role: "alert", hidden: true });
document.getElementById("notes").before(filesNote);
let changedFiles = "";

function offerReload(why, reload) {
  const button = make("button", { type: "button", class: "quiet", id: "reload" }, "Reload");
  const told = make("p", { id: "reload-told" });
  button.addEventListener("click", () => reload(button, told));
  filesNote.replaceChildren(make("p", {}, why), button, told);
  filesNote.hidden = false;
}
/** The server opens the files as they are now, and scores every build where they say something else. */
async function reopen(button, told) {
  button.disabled = true;
  try {
    const isDone = await follow("reload", {}, ({ stage, done, total }) => { told.textContent = total ? `${stage}: ${percent(done / total)}` : stage; });
    if (isDone) { location.reload(); return; }
    told.textContent = "Reloading was stopped: something else was asked for meanwhile.";
  } catch (error) { told.textContent = error.message; }
  button.disabled = false;
}
async function lookAtFiles() {
  if (document.hidden) return;
  let changed;
  try { ({ changed } = await (await ask("changed", {})).json()); } catch { clearInterval(looking); return; }
  const names = changed.join(", ");
  if (names === changedFiles) return;
  changedFiles = names;
  filesNote.hidden = !names;
  if (names) offerReload(`Changed on disk: ${names}. This page still shows and scores the rules of the run. Reload opens the files as they are now; where they say something else, it first scores every build under them, as buildsearch optimize does.`, reopen);
}
const looking = setInterval(lookAtFiles, 1000 * SECONDS_BETWEEN_LOOKS);
