// Builds in the order of other weights of the scenarios. A view is what measures look at: planes and scores, the best first.
const asGiven = (table) => ({
  planes: table.planes, score: (row) => table.score[row], home: (row) => row, seen: (legal) => legal, place: (home) => home,
  error: errorOf(table, table.about.weights), isGiven: true,
});
function errorOf(table, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (home) => {
    let sum = 0;
    for (let i = 0; i < weights.length; i += 1) sum += ((weights[i] / total) * table.errors[i][home]) ** 2;
    return Math.sqrt(sum);
  };
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
  function moved(set) {
    const found = new Uint32Array(table.words);
    for (let i = 0; i < set.length; i += 1) {
      for (let word = set[i]; word; word &= word - 1) { const to = place[(i << 5) + firstBit(word)]; found[to >>> 5] |= 1 << (to & 31); }
    }
    return found;
  }
  return {
    planes: table.planes.map((levels) => levels.map(moved)), score: (row) => scores[order[row]], home: (row) => order[row], seen: moved, place: (home) => place[home],
    error: errorOf(table, weights), isGiven: false,
  };
}
/** Rows by a score, the best first and ties as they stand: a radix sort, as comparing would take ten times as long. */
function sortedRows(scores, up) {
  const length = scores.length;
  let keys = new Uint32Array(scores.buffer.slice(0));
  let rows = new Uint32Array(length);
  const counts = [new Uint32Array(2049), new Uint32Array(2049), new Uint32Array(2049)];
  for (let i = 0; i < length; i += 1) {
    // The bits of floats in the order of the numbers, turned round where more is better.
    const bits = keys[i] & 0x80000000 ? ~keys[i] : keys[i] | 0x80000000;
    const key = up ? ~bits : bits;
    keys[i] = key;
    rows[i] = i;
    counts[0][(key & 2047) + 1] += 1;
    counts[1][((key >>> 11) & 2047) + 1] += 1;
    counts[2][(key >>> 22) + 1] += 1;
  }
  let [otherKeys, otherRows] = [new Uint32Array(length), new Uint32Array(length)];
  counts.forEach((begins, pass) => {
    for (let i = 0; i < 2048; i += 1) begins[i + 1] += begins[i];
    const shift = 11 * pass;
    for (let i = 0; i < length; i += 1) {
      const to = begins[(keys[i] >>> shift) & 2047]++;
      otherKeys[to] = keys[i];
      otherRows[to] = rows[i];
    }
    [keys, otherKeys] = [otherKeys, keys];
    [rows, otherRows] = [otherRows, rows];
  });
  return rows;
}
