// Small helpers. All text goes in as text: nothing here ever parses markup.
const data = JSON.parse(document.getElementById("data").textContent);

/** An element with attributes and children; strings become text nodes. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

const dash = "\u2013";
const whole = new Intl.NumberFormat("en");
function say(value, digits = 3) {
  if (value === null || value === undefined) return dash;
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return whole.format(value);
  return Math.abs(value) >= 1000 ? whole.format(Math.round(value)) : Number(value.toPrecision(digits)).toString();
}
const fixed = (value, digits = 2) => (value === null || value === undefined ? dash : value.toFixed(digits));
const percent = (value, digits = 0) => (value === null || value === undefined ? dash : `${(100 * value).toFixed(digits)}%`);
const signed = (value, digits = 2) => (value === null ? dash : `${value > 0 ? "+" : ""}${value.toFixed(digits)}`);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A build in the rules' own words: its parts, the part that is its group left out if told. */
function partNames(row, withoutGroup = false) {
  const group = data.groups[row.group];
  const names = row.parts.map(([part, level]) => data.parts[part].name + (level > 1 ? ` \u00d7${level}` : ""));
  const some = withoutGroup ? names.filter((name) => name !== group) : names;
  return some;
}
const buildName = (row) => partNames(row).join(" + ");

function meter(share) {
  const bar = make("i");
  bar.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  return make("span", { class: "meter", "aria-hidden": "true" }, bar);
}
