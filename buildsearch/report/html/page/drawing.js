// What all charts share: colours by theme, a figure with a spoken label, a section with its table.
const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
/** Light to dark blue, turned round on a dark ground so that more always stands out more. */
const sequential = (t) => (isDark() ? d3.interpolateRgbBasis(["#1a2027", "#1f4a70", "#3c86bd", "#bfe1fa"])(t) : d3.interpolateRgbBasis(["#f6f9fc", "#b7d3ea", "#5b9bcd", "#08456f"])(t));
/** Orange to blue over the ground's colour: safe for all common kinds of colour blindness. */
const diverging = (t) => (isDark() ? d3.interpolateRgbBasis(["#f0a35e", "#8a5326", "#222a32", "#2a6796", "#8fcbf5"])(t) : d3.interpolateRgbBasis(["#a8480a", "#f0b27c", "#f6f7f8", "#8dbfe3", "#0b4f86"])(t));
/** Ink that can be read on a colour. */
const inkOn = (colour) => (d3.lab(colour).l > 58 ? "#101418" : "#ffffff");

/** A Plot as a figure that is one image to a screen reader. */
function chart(label, options) {
  const svg = Plot.plot({ style: { background: "transparent", color: "var(--ink)", fontSize: "12px" }, ...options });
  const drawing = svg.tagName.toLowerCase() === "figure" ? svg.querySelector("svg:last-of-type") : svg;
  // The image has one name; its groups have none of their own.
  for (const group of drawing.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", label);
  return make("figure", {}, svg);
}
const tipStyle = { fill: "var(--panel)", stroke: "var(--soft)", textPadding: 9, fontSize: 12, lineHeight: 1.35 };

/** A section: title, what it says, controls, a place for the chart, and the table behind it. */
function addSection(id, brief, title, lead, { controls = [], draw, table }) {
  const place = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title });
  const section = make("section", { id, "data-title": brief }, make("h2", {}, title), make("p", { class: "lead" }, lead),
    controls.length ? make("div", { class: "axes" }, controls) : null, place,
    make("details", { class: "as-table" }, make("summary", {}, "The numbers as a table"), table));
  document.getElementById("charts").append(section);
  const redraw = () => place.replaceChildren(draw(Math.max(280, place.clientWidth)));
  redraws.push(redraw);
  redraw();
  return redraw;
}
const redraws = [];
const redrawAll = () => { for (const redraw of redraws) redraw(); };

/** Buttons of which one is pressed. */
function choice(names, chosen, pick) {
  const buttons = names.map((name) => make("button", { type: "button", class: "chip", "aria-pressed": String(name === chosen) }, capital(name)));
  buttons.forEach((button, i) => button.addEventListener("click", () => {
    buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
    pick(names[i]);
  }));
  return buttons;
}
const longest = (names) => Math.min(230, 16 + 6.6 * Math.max(4, ...names.map((name) => name.length)));
const clip = (name, most = 32) => (name.length > most ? `${name.slice(0, most - 1)}\u2026` : name);
