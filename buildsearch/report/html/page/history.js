/** The game over the revisions of its rules: lines from the oldest on the left to the newest. */
const measuredPoints = () => data.points.filter((point) => point.best !== undefined);
const pointTitle = (point) => `${point.revision}${point.date ? `, ${point.date}` : ""}\n${point.subject}`;

/** Lines over revisions, one for each {name, of}. Where rules could not be measured the line has a gap. */
function drawLines(label, width, lines, options) {
  const values = lines.flatMap((line, i) => data.points.map((point) => ({ point, line: line.name, i, x: point.number, y: point.best === undefined ? NaN : line.of(point) ?? NaN })));
  const known = values.filter((value) => !Number.isNaN(value.y));
  const ticks = someOf(data.points, Math.min(width, 1000) - 60, 92).map((point) => point.number);
  const colours = ["var(--accent)", "var(--bad)"];
  const figure = chart(`${label}; the table below has the numbers`, {
    width: Math.min(width, 1000), height: 300, marginLeft: 56, marginBottom: 44, marginRight: 24,
    x: { label: null, domain: [0.5, data.points.length + 0.5], ticks, tickFormat: (number) => data.points[number - 1]?.revision ?? "" },
    y: { grid: true, nice: true, ...options },
    marks: [
      ...lines.map((line, i) => Plot.line(values.filter((value) => value.i === i), { x: "x", y: "y", stroke: colours[i], strokeWidth: 2.5 })),
      ...lines.map((line, i) => Plot.dot(known.filter((value) => value.i === i), { x: "x", y: "y", fill: colours[i], r: i ? 5.5 : 4.5, symbol: i ? "diamond" : "circle" })),
      Plot.tip(known, Plot.pointer({ x: "x", y: "y", ...tipStyle, title: (value) => `${pointTitle(value.point)}\n${value.line}: ${say(value.y)}` })),
    ],
  });
  figure.append(make("figcaption", { class: "legend" }, lines.map((line, i) => `${i ? "\u25c6" : "\u25cf"} ${line.name}`).join("    ")));
  return figure;
}

function drawLevels() {
  if (!measuredPoints().length) return;
  const way = data.score.up ? "Higher is better." : "Lower is better.";
  addSection("levels", "Best", "Best build and benchmark", `${way} The benchmark is the score of a good build around a typical option: the nearer the two lines, the better.`, {
    draw: (width) => drawLines("Best build and benchmark by revision", width, [
      { name: "best", of: (point) => point.best }, { name: "benchmark", of: (point) => point.benchmark },
    ], { label: data.score.label }),
    table: revisionTable([
      { label: "Best", of: (point) => point.best, number: true }, { label: "Benchmark", of: (point) => point.benchmark, number: true },
      { label: "Ahead", of: (point) => point.ahead, number: true }, { label: "Method", of: (point) => point.method }, { label: "Best build", of: (point) => point.build },
    ]),
  });
}

function drawFreedom() {
  if (!measuredPoints().length) return;
  const near = `Viable: the best build with the option reaches at least ${percent(data.viable)} of the best build.`;
  addSection("viable", "Viable options", "Viable options", `${near} More is better.`, {
    draw: (width) => drawLines("Share of viable options by revision", width, [
      { name: "viable options", of: (point) => point.viable / point.options },
    ], { label: "options", domain: [0, 1], tickFormat: (value) => percent(value) }),
    table: revisionTable([
      { label: "Viable", of: (point) => point.viable, number: true },
      { label: "Options", of: (point) => point.options, number: true },
    ]),
  });
}

function drawBroken() {
  if (!measuredPoints().length) return;
  addSection("broken", "Broken", "What is broken", "Overpowered builds, must-haves and instant wins.", {
    draw: (width) => drawLines("Overpowered builds by revision", width, [{ name: "overpowered builds", of: (point) => point.overpowered }], { label: "builds", zero: true }),
    table: revisionTable([
      { label: "Overpowered builds", of: (point) => point.overpowered, number: true }, { label: "Instant wins", of: (point) => point.instantWins, number: true },
      { label: "Must-haves", of: (point) => point.mustHaves.join(", ") }, { label: "Builds", of: (point) => point.builds, number: true },
    ]),
  });
}

function revisionTable(columns) {
  return sortable("By revision", [{ label: "Revision", of: (point) => point.revision }, { label: "Date", of: (point) => point.date }, { label: "Subject", of: (point) => point.subject }, ...columns], measuredPoints());
}

function drawUnmeasured() {
  const rows = data.points.filter((point) => point.why);
  if (!rows.length) return;
  addSection("unmeasured", "Not measured", "Revisions that were not measured", "Their rules could not be read, or had no build.", {
    table: sortable("Not measured", [
      { label: "Revision", of: (point) => point.revision }, { label: "Date", of: (point) => point.date }, { label: "Subject", of: (point) => point.subject }, { label: "Why", of: (point) => point.why },
    ], rows, { tall: false }),
  });
}
