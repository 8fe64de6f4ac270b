// What all charts share: colours by theme, a figure with a spoken label, a section with its table.
const most = 40; // builds of a chart; its table has all
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

/** A heat map of cells {x, y}: a colour, a text in each cell, more when one points at it. A phone shows the first rows: forty are more than a screen. */
function heat(label, { cells: all, columns, rows: every, width, cap, colour, text, title }) {
  const rows = width < 500 ? every.slice(0, 15) : every;
  const cells = rows.length < every.length ? all.filter((cell) => rows.includes(cell.y)) : all;
  const figure = chart(`${label}; the table below has the numbers`, {
    width, height: 44 + 25 * rows.length, ...namesAxis(rows, width, { cap }), marginTop: 34, marginBottom: 4,
    x: { domain: columns, axis: null },
    marks: [
      Plot.axisX(columns, { anchor: "top", label: null, tickSize: 0, fontSize: 11 }),
      Plot.cell(cells, { x: "x", y: "y", fill: colour, inset: 1, rx: 3 }),
      Plot.text(cells, { x: "x", y: "y", fill: (cell) => inkOn(colour(cell)), text, fontSize: 11 }),
      Plot.tip(cells, Plot.pointer({ x: "x", y: "y", ...tipStyle, title })),
    ],
  });
  if (rows.length < every.length) figure.append(make("figcaption", { class: "legend" }, `The first ${rows.length} of ${every.length}; the table below has all.`));
  return figure;
}

/** What was, as diamonds, and what is, as dots, a line for each row. */
function dumbbells(label, { rows, name, width, cap, x }) {
  return chart(`${label}; the tables below have the numbers`, {
    width, height: 60 + 24 * rows.length, ...namesAxis(rows.map(name), width, { cap }), marginTop: 42,
    x: { axis: "top", grid: true, ticks: width < 500 ? 4 : 10, ...x },
    marks: [
      Plot.ruleY(rows.filter((row) => row.before !== null && row.after !== null), { y: name, x1: "before", x2: "after", stroke: "var(--soft)", strokeWidth: 2 }),
      Plot.dot(rows, { y: name, x: "before", symbol: "diamond", r: 5, stroke: "var(--bad)", fill: "var(--panel)", strokeWidth: 2 }),
      Plot.dot(rows, { y: name, x: "after", r: 5, fill: "var(--accent)" }),
      Plot.tip(rows, Plot.pointerY({ y: name, x: (row) => row.after ?? row.before, ...tipStyle, title: (row) => `${name(row)}\nbefore ${say(row.before)}, after ${say(row.after)}` })),
    ],
  });
}
const beforeAndAfter = () => make("p", { class: "legend" }, "\u25c7 before    \u25cf after");

/** A section: title, what it says, controls, a place for the chart, and the table behind it; or the table alone. */
function addSection(id, brief, title, lead, { controls = [], draw, table }) {
  const place = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title });
  const folded = () => make("details", { class: "as-table" }, make("summary", {}, "The numbers as a table"), table);
  const section = make("section", { id, "data-title": brief }, make("h2", {}, title), make("p", { class: "lead" }, lead),
    controls.length ? make("div", { class: "axes" }, controls) : null, draw ? [place, folded()] : table);
  document.getElementById("charts").append(section);
  if (!draw) return null;
  const redraw = () => place.replaceChildren(draw(Math.max(280, place.clientWidth)));
  redraws.push(redraw);
  redraw();
  return redraw;
}
/** Something that is drawn again when the window or the colours change, before what else is there. */
function addDrawing(section, draw) {
  const place = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": section.getAttribute("aria-label") });
  section.prepend(place);
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
const pen = document.createElement("canvas").getContext("2d");
pen.font = "12px system-ui, sans-serif"; // that of the axes
const widthOf = (text) => pen.measureText(text).width;
const longest = (names, cap = 230) => Math.min(cap, 16 + Math.max(24, ...names.map(widthOf)));
/** A text cut off at its end where it has no room. */
function clipTo(text, room) {
  if (widthOf(text) <= room) return text;
  let end = text.length - 1;
  while (end > 1 && widthOf(`${text.slice(0, end)}\u2026`) > room) end -= 1;
  return `${text.slice(0, end)}\u2026`;
}
/** So many of some things that each has enough room, the first and the last among them. */
function someOf(things, room, each) {
  const number = Math.max(2, Math.min(things.length, Math.floor(room / each)));
  return things.filter((_, i) => number >= things.length || [...Array(number).keys()].some((k) => Math.round((k * (things.length - 1)) / (number - 1)) === i));
}
/** Names down the left side: as much room as they need and the width allows, and what does not fit cut off at its end. */
function namesAxis(names, width, { share = 0.42, cap = 230 } = {}) {
  const room = Math.min(longest(names, cap), width * share);
  return { marginLeft: room, y: { domain: names, label: null, tickSize: 0, tickFormat: (name) => clipTo(name, room - 12) } };
}
const clip = (name, most = 32) => (name.length > most ? `${name.slice(0, most - 1)}\u2026` : name);
