// Sets of builds as bits, 32 to a word. Rows are in the order of the run's scores, so the first bit of a set is its best build there.
function countWord(word) {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
const wordsFor = (rows) => (rows + 31) >>> 5;
const isIn = (set, row) => (set[row >>> 5] >>> (row & 31)) & 1;
const put = (set, row) => { set[row >>> 5] |= 1 << (row & 31); };

function countOf(set) {
  let total = 0;
  for (let i = 0; i < set.length; i += 1) if (set[i]) total += countWord(set[i]);
  return total;
}
/** How many of a set lie before a row. */
function countBefore(set, row) {
  let total = 0;
  const last = row >>> 5;
  for (let i = 0; i < last; i += 1) if (set[i]) total += countWord(set[i]);
  const rest = row & 31;
  return rest ? total + countWord(set[last] & ((1 << rest) - 1)) : total;
}
/** How many of a set are in all of some planes, of which there are up to three. */
function countAll(set, [a, b, c]) {
  let total = 0;
  if (c) {
    for (let i = 0; i < set.length; i += 1) { const word = set[i] & a[i] & b[i] & c[i]; if (word) total += countWord(word); }
  } else if (b) {
    for (let i = 0; i < set.length; i += 1) { const word = set[i] & a[i] & b[i]; if (word) total += countWord(word); }
  } else {
    for (let i = 0; i < set.length; i += 1) { const word = set[i] & a[i]; if (word) total += countWord(word); }
  }
  return total;
}
const firstBit = (word) => 31 - Math.clz32(word & -word);
/** The first row of a set for which `wordOf` leaves a bit; -1 where there is none. */
function firstOf(set, wordOf) {
  for (let i = 0; i < set.length; i += 1) {
    if (set[i]) {
      const word = set[i] & wordOf(i);
      if (word) return (i << 5) + firstBit(word);
    }
  }
  return -1;
}
const firstRow = (set) => firstOf(set, () => -1);
function lastRow(set) {
  for (let i = set.length - 1; i >= 0; i -= 1) if (set[i]) return (i << 5) + 31 - Math.clz32(set[i]);
  return -1;
}
const firstWith = (set, plane) => firstOf(set, (i) => plane[i]);
const firstWithout = (set, planes) => firstOf(set, (i) => { let some = 0; for (const plane of planes) some |= plane[i]; return ~some; });
const firstWithNotAll = (set, planes) => firstOf(set, (i) => { let all = -1; for (const plane of planes) all &= plane[i]; return ~all; });

/** The first few rows of a set that are in a plane. */
function someWith(set, plane, most) {
  const found = [];
  for (let i = 0; i < set.length; i += 1) {
    for (let word = set[i] & plane[i]; word; word &= word - 1) {
      found.push((i << 5) + firstBit(word));
      if (found.length === most) return found;
    }
  }
  return found;
}
/** Calls for every row of a set from the first on, until it is answered `false`. */
function forEachRow(set, call) {
  for (let i = 0; i < set.length; i += 1) {
    let word = set[i];
    while (word) {
      if (call((i << 5) + firstBit(word)) === false) return;
      word &= word - 1;
    }
  }
}
