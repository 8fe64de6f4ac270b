// What was moved: one edit a lever, the weights of the scenarios, and what is locked. Its text is what the address holds.
const levers = []; // filled once the builds are unpacked
const byText = new Map(); // every edit by its words
const leverOf = new Map(); // the lever of an edit, by its words
const now = { edits: new Map(), weights: [...data.weights], locks: new Set() };
// More state, which only a served page has: `name` in the address, its words, and what to do with words from there.
const moreState = [];
const makers = []; // what makes its sections

function takeLevers(all) {
  for (const lever of all) {
    levers.push(lever);
    for (const edit of lever.edits) { byText.set(edit.text, edit); leverOf.set(edit.text, lever.name); }
  }
}
const editsNow = () => levers.filter((lever) => now.edits.has(lever.name)).map((lever) => now.edits.get(lever.name));
const isWeighed = () => now.weights.some((weight, i) => weight !== data.weights[i]);

/** Puts a lever where an edit has it, or back where it was. */
function move(lever, edit) {
  if (edit) now.edits.set(lever, edit);
  else now.edits.delete(lever);
}
const isLocked = (edit) => edit.about.some((name) => now.locks.has(name));

const write = (values) => values.map(encodeURIComponent).join(";");
/** The state in the letters of an address. */
function stateText() {
  const said = [];
  if (now.edits.size) said.push(`edits=${write(editsNow().map((edit) => edit.text))}`);
  if (isWeighed()) said.push(`weights=${now.weights.join(";")}`);
  if (now.locks.size) said.push(`locks=${write([...now.locks])}`);
  for (const { name, words } of moreState) if (words().length) said.push(`${name}=${write(words())}`);
  return said.join("&");
}
/** From an address that anybody may have written: what means nothing here is left out, and told. */
function takeState(text) {
  const said = new Map(text.split("&").map((each) => { const at = each.indexOf("="); return [each.slice(0, at), each.slice(at + 1)]; }));
  const words = (name) => (said.get(name) ?? "").split(";").filter(Boolean).map((each) => { try { return decodeURIComponent(each); } catch { return each; } });
  now.edits.clear();
  const unknown = [];
  for (const word of words("edits")) {
    if (byText.has(word)) now.edits.set(leverOf.get(word), byText.get(word));
    else unknown.push(word);
  }
  const weights = words("weights").map(Number);
  const fine = data.canWeigh && weights.length === data.weights.length && weights.every((weight) => weight >= 0 && weight <= 100) && weights.some((weight) => weight > 0);
  now.weights = fine ? weights : [...data.weights];
  const names = new Set(data.parts.map((part) => part.id));
  now.locks = new Set(words("locks").filter((name) => names.has(name)));
  for (const { name, take } of moreState) unknown.push(...take(words(name)));
  return unknown;
}
