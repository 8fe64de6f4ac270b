// Small helpers. All text goes in as text: nothing here ever parses markup.
const data = JSON.parse(document.getElementById("data").textContent);

/** Characters that turn writing around, written out: the data has none, but addresses and files that are taken in may. */
const plain = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\u0085]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);

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
    element.append(child instanceof Node ? child : document.createTextNode(plain(String(child))));
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
/** Which end of an axis is the good one. */
const goodEnd = (up) => `${up ? "more" : "less"} is better`;
const scoreAxis = () => `${data.score.label} (${goodEnd(data.score.up)})`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Parts in the rules' own words. */
const partsText = (parts) => parts.map(([part, level]) => data.parts[part].name + (level > 1 ? ` \u00d7${level}` : ""));
/** The parts of a build, the one that is its group left out. */
const partNames = (row) => partsText(row.parts).filter((name) => name !== data.groups[row.group]);
/** A build or a loadout by what it is made of. */
const buildName = (row) => (row.members ?? [row]).map((each) => partsText(each.parts).join(" + ")).join(" | ");
const groupsOf = (row) => row.groups ?? [row.group];

function meter(share) {
  const bar = make("i");
  bar.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  return make("span", { class: "meter", "aria-hidden": "true" }, bar);
}
