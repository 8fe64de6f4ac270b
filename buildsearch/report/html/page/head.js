// The head of a report: the verdict, the picture, the fix.
function drawHead() {
  const place = document.getElementById("picture");
  if (!place || !data.picture) return;
  const { rows, cause } = data.picture;
  const draw = (width) => {
    const legend = [make("span", { class: "key" }, make("i", { class: "open" }), "an option, at its best build")];
    if (cause) legend.push(make("span", { class: "key" }, make("i", { class: "full" }), `its best build has ${cause}`));
    legend.push(make("span", { class: "key" }, make("i", { class: "area" }), "benchmark, within 15%"));
    return make("figure", {}, picture(data.picture, width), make("figcaption", { class: "legend" }, legend));
  };
  addDrawing(place, draw);
  const after = new Map((rows[1]?.dots ?? []).map((dot) => [dot.name, dot]));
  const unit = data.picture.unit ? `, ${data.picture.unit}` : "";
  const table = sortable("Best build with each option", [
    { label: "Option", of: (dot) => dot.name }, { label: `Now${unit}`, of: (dot) => dot.score, number: true, show: shownScore },
    ...(rows[1] ? [{ label: `Fixed${unit}`, of: (dot) => after.get(dot.name)?.score ?? null, number: true, show: shownScore }] : []),
    { label: "Best build now", of: (dot) => dot.build },
  ], rows[0].dots);
  place.append(make("details", { class: "as-table", id: "picture-table" }, make("summary", {}, `All ${rows[0].dots.length} options as a table`), table));
  const copy = document.getElementById("copy-lines");
  copy?.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(document.getElementById("fix-lines").textContent); copy.textContent = "Copied"; } catch { document.getElementById("fix-lines").closest("details").open = true; copy.textContent = "Select the lines below"; }
  });
}
const shownScore = (value) => (value === null ? dash : data.picture.isShare ? percent(value, 1) : fixed(value));
