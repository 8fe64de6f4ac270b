// Builds in the order of other weights of the scenarios. A view is what measures look at: planes and scores, the best first.
const asGiven = (table) => ({
  planes: table.planes, score: (row) => table.score[row], home: (row) => row, seen: (legal) => legal,
  error: errorOf(table, table.about.weights), isGiven: true,
});
function errorOf(table, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (home) => Math.sqrt(table.errors.reduce((sum, errors, i) => sum + ((weights[i] / total) * errors[home]) ** 2, 0));
}

function reweighed(table, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scores = new Float32Array(table.rows);
  table.means.forEach((means, i) => {
    const weight = weights[i] / total;
    if (weight) for (let row = 0; row < table.rows; row += 1) scores[row] += weight * means[row];
  });
  const order = sortedRows(scores, table.about.score.up);
  const place = new Uint32Array(table.rows);
  for (let i = 0; i < order.length; i += 1) place[order[i]] = i;
  const moved = (set) => { const found = new Uint32Array(table.words); forEachRow(set, (row) => put(found, place[row])); return found; };
  return {
    planes: table.planes.map((levels) => levels.map(moved)), score: (row) => scores[order[row]], home: (row) => order[row], seen: moved,
    error: errorOf(table, weights), isGiven: false,
  };
}
/** Rows by a score, the best first and ties as they stand: a radix sort, as a comparison for each pair would take seconds. */
function sortedRows(scores, up) {
  const keys = new Uint32Array(scores.buffer.slice(0));
  for (let i = 0; i < keys.length; i += 1) {
    // The bits of floats in the order of the numbers, turned round where more is better.
    const key = keys[i] & 0x80000000 ? ~keys[i] : keys[i] | 0x80000000;
    keys[i] = up ? ~key : key;
  }
  let rows = Uint32Array.from(keys, (_, i) => i);
  let other = new Uint32Array(rows.length);
  for (let shift = 0; shift < 32; shift += 11) {
    const begins = new Uint32Array(2049);
    for (let i = 0; i < keys.length; i += 1) begins[((keys[i] >>> shift) & 2047) + 1] += 1;
    for (let i = 0; i < 2048; i += 1) begins[i + 1] += begins[i];
    for (let i = 0; i < rows.length; i += 1) other[begins[(keys[rows[i]] >>> shift) & 2047]++] = rows[i];
    [rows, other] = [other, rows];
  }
  return rows;
}
