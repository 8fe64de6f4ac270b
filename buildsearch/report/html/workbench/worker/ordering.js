// Builds in the order of their scores. Rows are those of the table everywhere; only an order says who comes first.
// A scoring is what builds score: that of the run, or one that came later. An order among some builds finds the first with
// something, and counts those before a score.
function errorOf(scoring, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (row) => {
    let sum = 0;
    for (let i = 0; i < weights.length; i += 1) sum += ((weights[i] / total) * scoring.errors[i][row]) ** 2;
    return Math.sqrt(sum);
  };
}
/** The order of the table itself: the first bit of a set is its best build, so 32 builds are looked at in one step. */
function givenOrder(table) {
  const sign = table.about.score.up ? -1 : 1;
  const score = (row) => table.given.score[row];
  const place = (value) => { // the first row that is not better than this
    let [from, to] = [0, table.rows];
    while (from < to) { const middle = (from + to) >> 1; if (sign * score(middle) < value) from = middle + 1; else to = middle; }
    return from;
  };
  return {
    score, error: errorOf(table.given, table.about.weights), isGiven: true,
    among: (set) => ({
      first: firstRow(set), last: lastRow(set),
      firstWith: (plane) => firstWith(set, plane), firstWithout: (planes) => firstWithout(set, planes), firstWithNotAll: (planes) => firstWithNotAll(set, planes),
      someWith: (plane, most) => someWith(set, plane, most),
      forEach: forEachRow,
      countBetter: (some, value) => { const end = place(value); return end >= table.rows ? countOf(some) : countBefore(some, end); },
    }),
  };
}

/** Makes other orders, one at a time: a new one is written over the last, so that a drag leaves nothing to sweep up.
    Nobody sorts half a million builds for it. They are thrown into heaps, the best heap first; whoever looks for the first with
    something walks over the heaps and compares within one, and only heaps that are shown are sorted. */
function makeOrderer(table) {
  const { rows } = table;
  const up = table.about.score.up;
  const weighed = new Float64Array(rows);
  const heap = makeHeaps(rows, up);
  function weigh(means, weights) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let isFirst = true;
    means.forEach((mean, i) => {
      const weight = weights[i] / total;
      if (!weight) return;
      if (isFirst) for (let row = 0; row < rows; row += 1) weighed[row] = weight * mean[row];
      else for (let row = 0; row < rows; row += 1) weighed[row] += weight * mean[row];
      isFirst = false;
    });
    return weighed;
  }
  return (scoring, weights) => {
    const isAsked = weights.join() === table.about.weights.join();
    const scores = isAsked ? scoring.score : weigh(scoring.means, weights);
    const heaps = heap(scores, scoring.known);
    return { score: (row) => scores[row], error: errorOf(scoring, weights), isGiven: isAsked, among: (set) => amongHeaps(heaps, set, scores, up) };
  };
}
function amongHeaps(heaps, set, scores, up) {
  const isBefore = up ? (one, other) => scores[one] > scores[other] || (scores[one] === scores[other] && one < other) : (one, other) => scores[one] < scores[other] || (scores[one] === scores[other] && one < other);
  const mine = heaps.of(set);
  const { list, starts } = mine;
  const first = (test) => {
    for (let heap = 0; heap < HEAPS; heap += 1) {
      let best = -1;
      for (let i = starts[heap]; i < starts[heap + 1]; i += 1) { const row = list[i]; if (test(row) && (best < 0 || isBefore(row, best))) best = row; }
      if (best >= 0) return best;
    }
    return -1;
  };
  let last = -1;
  for (let heap = HEAPS - 1; heap >= 0 && last < 0; heap -= 1) {
    for (let i = starts[heap]; i < starts[heap + 1]; i += 1) if (last < 0 || isBefore(last, list[i])) last = list[i];
  }
  const counted = new Map();
  return {
    first: first(() => true), last,
    firstWith: (plane) => first((row) => isIn(plane, row)),
    firstWithout: (planes) => first((row) => !planes.some((plane) => isIn(plane, row))),
    firstWithNotAll: (planes) => first((row) => !planes.every((plane) => isIn(plane, row))),
    someWith: (plane, most) => {
      const found = [];
      for (let heap = 0; heap < HEAPS && found.length < most; heap += 1) {
        found.push(...list.subarray(starts[heap], starts[heap + 1]).filter((row) => isIn(plane, row)).sort((a, b) => (isBefore(a, b) ? -1 : 1)));
      }
      return found.slice(0, most);
    },
    forEach: (some, call) => {
      for (let heap = 0; heap < HEAPS; heap += 1) {
        const its = list.subarray(starts[heap], starts[heap + 1]).filter((row) => isIn(some, row)).sort((a, b) => (isBefore(a, b) ? -1 : 1));
        for (const row of its) if (call(row) === false) return;
      }
    },
    countBetter: (some, value) => {
      if (!counted.has(some)) counted.set(some, some === set ? mine : heaps.of(some));
      const its = counted.get(some);
      const worst = up ? -value : value; // values are costs: smaller is better
      const heap = heaps.heapOf(worst);
      let total = its.starts[heap];
      for (let i = its.starts[heap]; i < its.starts[heap + 1]; i += 1) { const score = scores[its.list[i]]; if (up ? score > worst : score < worst) total += 1; }
      return total;
    },
  };
}
const HEAPS = 4096;
/** Rows by the first twelve bits that tell their scores apart. `known` says which rows there are. */
function makeHeaps(rows, up) {
  const [keys, list] = [new Uint32Array(rows), new Uint32Array(rows)];
  const rough = new Float32Array(rows + 1);
  const bits = new Uint32Array(rough.buffer);
  /** The bits of a float in the order of the numbers, turned round where more is better. */
  const keyOf = (its) => { const ordered = its & 0x80000000 ? ~its : its | 0x80000000; return (up ? ~ordered : ordered) >>> 0; };
  return (scores, known) => {
    let [least, most] = [0xffffffff, 0];
    rough.set(scores);
    for (let row = 0; row < rows; row += 1) {
      if (known && !isIn(known, row)) continue;
      const key = keyOf(bits[row]);
      keys[row] = key;
      if (key < least) least = key;
      if (key > most) most = key;
    }
    const shift = Math.max(0, 20 - Math.clz32(Math.max(0, most - least)));
    const starts = new Uint32Array(HEAPS + 1);
    for (let row = 0; row < rows; row += 1) if (!known || isIn(known, row)) { keys[row] = (keys[row] - least) >>> shift; starts[keys[row] + 1] += 1; }
    for (let heap = 0; heap < HEAPS; heap += 1) starts[heap + 1] += starts[heap];
    const next = starts.slice();
    for (let row = 0; row < rows; row += 1) if (!known || isIn(known, row)) list[next[keys[row]]++] = row;
    const length = starts[HEAPS];
    return {
      heapOf: (score) => { rough[rows] = score; const key = keyOf(bits[rows]); return key <= least ? 0 : (Math.min(key, most) - least) >>> shift; },
      /** Some of them, heaped the same way. */
      of: (set) => {
        if (countOf(set) === length) return { list, starts };
        const [some, begins] = [new Uint32Array(length), new Uint32Array(HEAPS + 1)];
        let found = 0;
        for (let heap = 0; heap < HEAPS; heap += 1) {
          for (let i = starts[heap]; i < starts[heap + 1]; i += 1) { const row = list[i]; some[found] = row; found += (set[row >>> 5] >>> (row & 31)) & 1; }
          begins[heap + 1] = found;
        }
        return { list: some, starts: begins };
      },
    };
  };
}
