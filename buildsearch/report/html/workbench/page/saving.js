// Edits and numbers into the rules file of the run, by the server; saving none puts the file back.
function makeSaving() {
  const section = document.getElementById("share");
  const told = make("p", { id: "saved", role: "status" });
  const patch = make("pre", { class: "yaml", id: "patch", hidden: true, tabindex: "0", role: "region", "aria-label": "What was changed in the file" });
  const { file, whyNotSaved } = data.server;
  const button = make("button", { type: "button", class: "quiet", id: "write" }, `Save to ${file ?? ""}`);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const saved = await (await ask("save", { edits: editsNow().map((edit) => edit.text), numbers: numbersNow() })).json();
      patch.textContent = saved.patch;
      patch.hidden = !saved.patch;
      told.textContent = saved.patch ? `Saved to ${saved.file}. The run is one of the rules before: buildsearch optimize makes one of these.` : `${saved.file} is as the run has it.`;
    } catch (error) { told.textContent = error.message; }
    button.disabled = false;
  });
  section.querySelector(".row").append(file ? button : make("p", { class: "note" }, `Nothing can be saved here. ${whyNotSaved}`));
  section.querySelector(".row").after(told, patch);
}
makers.push(makeSaving);
