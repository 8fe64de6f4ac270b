// `balance`, run from the page: its proposals are taken with a click.
function makeProposing() {
  const goal = make("input", { type: "text", id: "goal", autocomplete: "off", placeholder: "those of buildsearch balance" });
  const seconds = make("input", { type: "number", id: "seconds", min: 1, max: 600, value: 20 });
  const run = make("button", { type: "button", class: "quiet", id: "balance" }, "Run balance");
  const stop = make("button", { type: "button", class: "quiet", id: "stop", disabled: true }, "Stop");
  const said = make("p", { class: "empty", id: "balance-said" });
  const told = make("p", { id: "balance-told", role: "status" });
  stop.addEventListener("click", () => atWork?.abort());
  run.addEventListener("click", async () => {
    if (isScoring) { told.textContent = "Builds are still scored again. Wait until all of them are."; return; }
    run.disabled = true;
    stop.disabled = false;
    told.textContent = "Balance is looking for proposals.";
    try {
      const goals = goal.value.split(";").map((each) => each.trim()).filter(Boolean);
      const isDone = await follow("balance", { goals, lock: [...now.locks], seconds: Math.round(Number(seconds.value) || 20), numbers: numbersNow() }, (line) => {
        if (line.kind === "progress") { said.textContent = line.stage; return; }
        drawProposals(document.getElementById("proposals"), line);
        told.textContent = line.headline;
      });
      if (!isDone) told.textContent = "Balance was stopped.";
    } catch (error) { told.textContent = error.message; }
    said.textContent = "";
    run.disabled = false;
    stop.disabled = true;
  });
  document.getElementById("proposals").before(make("div", { class: "fields" }, field("Goals, with ; between them", goal), field("Seconds", seconds), run, stop), said, told);
  // Links to a served page lead nowhere once the command ends.
  document.getElementById("link").remove();
}
makers.push(makeProposing);
