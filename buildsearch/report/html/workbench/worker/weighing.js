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

/** Makes views, one at a time: a new one is written over the last, so that a drag leaves nothing to sweep up. */
function makeWeigher(table) {
  const { rows, words } = table;
  const scores = new Float32Array(rows);
  const place = new Uint32Array(rows);
  const planes = table.planes.map((levels) => levels.map(() => new Uint32Array(words)));
  const sort = makeSorter(rows, table.about.score.up);
  function move(set, found) {
    found.fill(0);
    for (let i = 0; i < words; i += 1) {
      for (let word = set[i]; word; word &= word - 1) { const to = place[(i << 5) + firstBit(word)]; found[to >>> 5] |= 1 << (to & 31); }
    }
    return found;
  }
  return (weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    scores.fill(0);
    table.means.forEach((means, i) => {
      const weight = weights[i] / total;
      if (weight) for (let row = 0; row < rows; row += 1) scores[row] += weight * means[row];
    });
    const order = sort(scores);
    for (let i = 0; i < rows; i += 1) place[order[i]] = i;
    table.planes.forEach((levels, part) => levels.forEach((plane, level) => move(plane, planes[part][level])));
    return {
      planes, score: (row) => scores[order[row]], home: (row) => order[row], place: (home) => place[home],
      seen: (set) => move(set, new Uint32Array(words)), error: errorOf(table, weights), isGiven: false,
    };
  };
}
/** Rows by a score, the best first and ties as they stand: a radix sort, as comparing would take ten times as long. */
function makeSorter(length, up) {
  let [keys, rows, otherKeys, otherRows] = [0, 0, 0, 0].map(() => new Uint32Array(length));
  return (scores) => {
    const bits = new Uint32Array(scores.buffer);
    const [low, middle, high] = [new Uint32Array(2049), new Uint32Array(2049), new Uint32Array(2049)];
    for (let i = 0; i < length; i += 1) {
      // The bits of floats in the order of the numbers, turned round where more is better.
      const ordered = bits[i] & 0x80000000 ? ~bits[i] : bits[i] | 0x80000000;
      const key = up ? ~ordered : ordered;
      keys[i] = key;
      rows[i] = i;
      low[(key & 2047) + 1] += 1;
      middle[((key >>> 11) & 2047) + 1] += 1;
      high[(key >>> 22) + 1] += 1;
    }
    [low, middle, high].forEach((begins, pass) => {
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
  };
}
