// Edits as a list, as a rules file, as a command, as an address; and proposals of `balance` from a file.
function makeWeights() {
  const section = document.getElementById("weights");
  if (data.fights.length < 2 || !data.canWeigh) { section.hidden = true; return; }
  const most = 4 * Math.max(...data.weights);
  data.fights.forEach((fight, i) => {
    const slider = make("input", { type: "range", id: `weight-${i}`, min: 0, max: most, step: most / 40, value: data.weights[i] });
    const take = () => { const weights = [...now.weights]; weights[i] = Number(slider.value); if (weights.some((weight) => weight > 0)) now.weights = weights; };
    slider.addEventListener("input", () => { drag(take); drawWeights(); });
    slider.addEventListener("change", () => change(take));
    section.append(make("label", { class: "weight", for: `weight-${i}` }, fight, slider, make("output", { id: `share-${i}`, for: `weight-${i}` })));
  });
}
function drawWeights() {
  const total = now.weights.reduce((sum, weight) => sum + weight, 0);
  now.weights.forEach((weight, i) => {
    const slider = document.getElementById(`weight-${i}`);
    if (!slider) return;
    if (Number(slider.value) !== weight) slider.value = weight;
    document.getElementById(`share-${i}`).textContent = percent(weight / total);
  });
}

function drawEdits() {
  const lines = editsNow().map((edit) => {
    const button = make("button", { type: "button", class: "quiet small", "aria-label": `Take back: ${edit.words}` }, "Take back");
    button.addEventListener("click", () => change(() => move(leverOf.get(edit.text))));
    return make("li", {}, make("span", {}, edit.words, edit.letsIn && !lastAnswer?.isClosed ? make("small", { class: "type" }, "makes builds legal that were not scored") : null), button);
  });
  document.getElementById("edits").replaceChildren(make("h2", {}, "Edits"),
    lines.length ? make("ul", { class: "plain" }, lines) : make("p", { class: "empty" }, "None yet. Drag a cost, or ban something."));
}

/** Edits as a rules file of its own that extends the rules: JSON in its values, which YAML reads, so that no name can break it. */
function rulesFile() {
  const made = {};
  for (const { path, value, entry } of editsNow().flatMap((edit) => edit.writes)) {
    let place = made;
    for (const step of path.slice(0, -1)) place = place[step] ??= {};
    if (entry) (place[`${path.at(-1)}+`] ??= []).push(entry); // added to the list of the rules that it extends
    else place[path.at(-1)] = value;
  }
  const lines = (thing, indent) => Object.entries(thing).flatMap(([key, value]) => {
    const name = `${indent}${/^[A-Za-z_][A-Za-z0-9_]*\+?$/.test(key) ? key : JSON.stringify(key)}:`;
    if (Array.isArray(value)) return [name, ...value.map((each) => `${indent}  - ${JSON.stringify(each)}`)];
    if (value !== null && typeof value === "object") return [name, ...lines(value, `${indent}  `)];
    return [`${name} ${JSON.stringify(value)}`];
  });
  return [
    ...editsNow().map((edit) => `# ${edit.words.replace(/[^\x20-\x7e\u00a0-\ud7ff]/g, " ")}.`),
    ...lines(data.file.head, ""), ...lines(made, ""), "",
  ].join("\n");
}
const explainCommand = () => `${data.commands.explain} ${quoted(editsNow().map((edit) => edit.text).join(", "))}`;
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

let drawShare = () => {};
function makeShare() {
  const section = document.getElementById("share");
  const yaml = make("pre", { class: "yaml", id: "yaml", tabindex: "0", role: "region", "aria-label": "The edits as a rules file" });
  const save = make("button", { type: "button", class: "quiet", id: "save" }, `Save ${data.file.name}`);
  const link = make("button", { type: "button", class: "quiet", id: "link" }, "Copy the link");
  const commands = make("pre", { class: "yaml", id: "commands", tabindex: "0", role: "region", "aria-label": "Commands" });
  const file = make("input", { type: "file", id: "import", accept: ".json,application/json" });
  const proposals = make("ul", { class: "plain", id: "proposals" });
  save.addEventListener("click", () => {
    const anchor = make("a", { href: URL.createObjectURL(new Blob([rulesFile()], { type: "text/yaml" })), download: data.file.name });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
  });
  link.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(location.href); tell("The link is copied."); } catch { tell("The browser does not let this page copy: take the address from its bar."); }
  });
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    try { drawProposals(proposals, JSON.parse(await file.files[0].text())); } catch { proposals.replaceChildren(make("li", {}, "This file is not JSON of buildsearch balance.")); }
  });
  const writable = data.file.whyNot === null;
  section.append(
    make("p", { class: "lead" }, "Your edits are in this page's address. Anyone who has the file can open them with the link."),
    make("div", { class: "row" }, writable ? save : null, link),
    writable ? yaml : make("p", { class: "note" }, data.file.whyNot), commands,
    make("h3", {}, "Proposals of balance"),
    make("p", { class: "empty" }, "Write them with ", make("code", {}, data.commands.balance), " and choose the file here."),
    field("Proposals", file), proposals);
  drawShare = () => {
    save.disabled = !now.edits.size;
    yaml.hidden = commands.hidden = !now.edits.size;
    yaml.textContent = rulesFile();
    commands.textContent = [explainCommand(), ...(writable ? [data.commands.diff] : [])].join("\n");
  };
}
/** The proposals in a file; edits that these rules do not have are refused. */
function drawProposals(list, given) {
  const some = Array.isArray(given?.proposals) ? given.proposals : Array.isArray(given?.edits) ? [given] : [];
  const lines = some.slice(0, 20).map((proposal, i) => {
    const texts = (Array.isArray(proposal?.edits) ? proposal.edits : []).map((edit) => String(edit?.edit ?? edit));
    const unknown = texts.filter((text) => !byText.has(text));
    const button = make("button", { type: "button", class: "quiet small", "aria-label": `Take proposal ${i + 1}` }, "Take");
    button.addEventListener("click", () => {
      tryEdits(texts.map((text) => byText.get(text)), { alone: true });
    });
    const words = texts.map((text) => byText.get(text)?.words ?? text).join("; ");
    return make("li", {}, make("span", {}, `${i + 1}. ${words}`, unknown.length ? make("small", { class: "type" }, `These rules have no such edit: ${unknown.join(", ")}.`) : null), unknown.length ? null : button);
  });
  list.replaceChildren(...(lines.length ? lines : [make("li", {}, "There is no proposal in this file.")]));
}
