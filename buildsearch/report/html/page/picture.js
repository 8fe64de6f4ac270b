// The one picture: every option a dot at the score of its best build, the benchmark as a band, a row for each state
// of the game. Plain SVG, so that it can be drawn again while a cost is dragged.
const svgNode = (tag, attributes = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  for (const child of children) node.append(child instanceof Node ? child : document.createTextNode(plain(String(child))));
  return node;
};

/** What a score is called, with its unit. */
const scoreText = (value, { isShare, unit }) => (isShare ? percent(value, 1) : `${say(value)}${unit ? ` ${unit}` : ""}`);

/** Round values between two ends, at most so many; on a log axis 1, 2, 3, 5 and their like. */
function roundTicks(low, high, isLog, isShare, most) {
  if (!isLog) {
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100].find((each) => (high - low) / each <= most) ?? (high - low) / most;
    return Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => Number(((Math.ceil(low / step) + i) * step).toPrecision(6)));
  }
  for (const stems of [[1, 1.5, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 4, 6, 8], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1]]) {
    const found = [];
    for (let ten = 10 ** Math.floor(Math.log10(low)); ten <= high; ten *= 10) found.push(...stems.map((stem) => Number((stem * ten).toPrecision(4))).filter((value) => value >= low && value <= high));
    if (found.length <= most) return found;
  }
  return [low, high];
}

/** Draw {rows: [{label, benchmark, band, dots: [{name, score, build, hasCause}]}], isLog, isShare, up, unit, cause}. */
function picture(told, width, { only = null } = {}) {
  const rows = told.rows.filter((row) => row.dots.length);
  const isNarrow = width < 440;
  const left = isNarrow ? 8 : 62, right = isNarrow ? 8 : 22, inner = width - left - right;
  const values = rows.flatMap((row) => [...row.dots.map((dot) => dot.score), ...(row.band ?? [])]).filter((value) => value !== null);
  const bend = told.isLog ? Math.log : (value) => value;
  let [from, to] = [Math.min(...values), Math.max(...values)].map(bend);
  const pad = 0.03 * (to - from || 1);
  [from, to] = [from - pad, to + pad];
  const at = (value) => left + inner * (bend(value) - from) / (to - from);
  const radius = isNarrow ? 3.6 : 5, size = 2 * radius + 1.5;
  const svg = svgNode("svg", { role: "img", class: "picture", width, "aria-label": `Best build with each option, ${rows.map((row) => row.label).join(" and ")}; the table below has the numbers` });
  const heads = told.up ? ["too weak", "too strong"] : ["too strong", "too weak"];
  let y = 26;
  const first = rows[0];
  if (first?.band) {
    const [low, high] = first.band.map(at);
    if (low - left > 70) svg.append(svgNode("text", { x: (left + low) / 2, y: 13, class: "head", "text-anchor": "middle" }, heads[0]));
    svg.append(svgNode("text", { x: (low + high) / 2, y: 13, class: "head strong", "text-anchor": "middle" }, "benchmark"));
    if (width - right - high > 70) svg.append(svgNode("text", { x: (high + width - right) / 2, y: 13, class: "head", "text-anchor": "middle" }, heads[1]));
  }
  for (const row of rows) {
    const columns = new Map();
    const placed = row.dots.map((dot) => {
      const column = Math.round(at(dot.score) / size), height = columns.get(column) ?? 0;
      columns.set(column, height + 1);
      return { dot, x: column * size, height };
    });
    const tallest = Math.max(1, ...columns.values()), step = Math.min(size, 104 / tallest);
    const top = y, base = top + 18 + Math.max(24, tallest * step);
    const [low, high] = row.band ? row.band.map(at) : [0, 0];
    const names = isNarrow ? {} : outliers(row, told.up, inner / 2 - 8);
    const bottom = base + (names.left || names.right ? 22 : 6);
    if (row.band) {
      svg.append(svgNode("rect", { x: low, y: top, width: high - low, height: bottom - top, class: "band", rx: 4 }));
      svg.append(svgNode("line", { x1: at(row.benchmark), x2: at(row.benchmark), y1: top, y2: bottom, class: "benchmark" }));
    }
    svg.append(svgNode("text", { x: isNarrow ? left : left - 10, y: isNarrow ? top + 12 : base - 4, class: "row", "text-anchor": isNarrow ? "start" : "end" }, row.label));
    for (const { dot, x, height } of placed) {
      const isShown = only === null || only.has(dot.name);
      svg.append(svgNode("circle", { cx: x, cy: base - radius - 2 - height * step, r: radius, class: `dot${dot.hasCause ? " cause" : ""}${isShown ? "" : " pale"}`, "data-name": dot.name },
        svgNode("title", {}, `${dot.name}: ${scoreText(dot.score, told)}\n${dot.build}`)));
    }
    if (names.left) svg.append(svgNode("text", { x: Math.max(left, at(row.dots[0].score) - radius), y: base + 15, class: "who" }, names.left));
    if (names.right) svg.append(svgNode("text", { x: width - right, y: base + 15, class: "who", "text-anchor": "end" }, names.right));
    if (row.band) {
      const label = scoreText(row.benchmark, { ...told, unit: "" });
      svg.append(svgNode("text", { x: at(row.benchmark) + 5, y: top + 12, class: "value" }, label));
    }
    y = bottom + 12;
  }
  const ticks = roundTicks(told.isLog ? Math.exp(from) : from, told.isLog ? Math.exp(to) : to, told.isLog, told.isShare, isNarrow ? 6 : 11);
  svg.append(svgNode("line", { x1: left, x2: width - right, y1: y, y2: y, class: "axis" }));
  for (const value of ticks) {
    svg.append(svgNode("line", { x1: at(value), x2: at(value), y1: y, y2: y + 5, class: "axis" }));
    svg.append(svgNode("text", { x: at(value), y: y + 18, class: "tick", "text-anchor": "middle" }, told.isShare ? percent(value) : say(value)));
  }
  if (told.unit && !isNarrow) svg.append(svgNode("text", { x: left - 10, y: y + 18, class: "tick", "text-anchor": "end" }, told.unit));
  svg.setAttribute("height", y + 26);
  svg.setAttribute("viewBox", `0 0 ${width} ${y + 26}`);
  return svg;
}

/** Names of the options that stand out on either side of the band, the farthest first, as many as there is room for. */
function outliers(row, up, room) {
  if (!row.band) return {};
  const listed = (dots) => {
    for (let many = Math.min(4, dots.length); many > 0; many -= 1) {
      const text = `${dots.slice(0, many).map((dot) => dot.name).join(", ")}${dots.length > many ? ` and ${dots.length - many} more` : ""}`;
      if (6.6 * text.length <= room) return text;
    }
    return "";
  };
  const low = row.dots.filter((dot) => dot.score < row.band[0]), high = row.dots.filter((dot) => dot.score > row.band[1]);
  // Dots come with the strongest first.
  return up ? { left: listed(low.reverse()), right: listed(high) } : { left: listed(low), right: listed(high.reverse()) };
}
