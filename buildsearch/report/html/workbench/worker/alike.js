// Which options cannot be told from one another: _act_alike of analysis/choices.py.
// Python looks at every exchange anew. Here one exchange that makes a difference is remembered for each pair: as long as
// both of its builds are legal the two are no likes, and that is nearly always the end of it.
const TIED = 4e-7; // scores of fights are kept with seven digits

/** Finds the build that has one part instead of another. */
function makeFinder(table) {
  const parts = table.about.parts.length;
  let find;
  function index() {
    // Two sums of random numbers tell builds apart.
    const [a, b] = [new Uint32Array(parts), new Uint32Array(parts)];
    let seed = 1;
    const random = () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.imul(seed ^ (seed >>> 15), 2246822519) >>> 0; };
    for (let part = 0; part < parts; part += 1) { a[part] = random(); b[part] = random(); }
    const [first, second] = [new Uint32Array(table.rows), new Uint32Array(table.rows)];
    table.planes.forEach((levels, part) => levels.forEach((plane) => forEachRow(plane, (row) => { first[row] += a[part]; second[row] += b[part]; })));
    const size = 1 << (33 - Math.clz32(Math.max(1, table.rows)));
    const slots = new Int32Array(size).fill(-1);
    for (let row = 0; row < table.rows; row += 1) {
      let slot = first[row] & (size - 1);
      while (slots[slot] >= 0) slot = (slot + 1) & (size - 1);
      slots[slot] = row;
    }
    find = (row, out, into) => {
      const one = (first[row] - a[out] + a[into]) >>> 0;
      const two = (second[row] - b[out] + b[into]) >>> 0;
      for (let slot = one & (size - 1); slots[slot] >= 0; slot = (slot + 1) & (size - 1)) {
        if (first[slots[slot]] === one && second[slots[slot]] === two) return slots[slot];
      }
      return -1;
    };
  }
  return (row, out, into) => { if (!find) index(); return find(row, out, into); };
}
function makeAlike(table, scoring, find) {
  const parts = table.about.parts.length;
  const witness = new Map(); // out * parts + into: [here, there], two builds that score differently
  const exchanges = new Map(); // the same: all exchanges of a pair without any difference
  /** 0: the same in every fight; 1: within what sampling allows; 2: different. */
  function difference(here, there) {
    let most = 0;
    for (let i = 0; i < scoring.means.length; i += 1) {
      const apart = Math.abs(scoring.means[i][here] - scoring.means[i][there]);
      const tie = TIED * Math.max(1, Math.abs(scoring.means[i][here]));
      if (apart <= tie) continue;
      if (apart > tie + SURE * Math.hypot(scoring.errors[i][here], scoring.errors[i][there])) return 2;
      most = 1;
    }
    return most;
  }
  /** All exchanges within a set of builds, until one makes a difference. */
  function look(set, out, into, keep) {
    const most = table.planes[into].filter((plane) => firstWith(set, plane) >= 0).length;
    const full = table.planes[into][most - 1];
    let [asked, legal, same, differs] = [0, 0, 0, null];
    forEachRow(set, (row) => {
      if (!isIn(table.planes[out][0], row) || (full && isIn(full, row))) return true;
      asked += 1;
      const there = find(row, out, into);
      if (there < 0 || !isIn(set, there)) return true;
      legal += 1;
      const its = difference(row, there);
      if (its === 2) { differs = [row, there]; return false; }
      if (its === 0) same += 1;
      if (keep) keep.push(row, there, its);
      return true;
    });
    return { asked, legal, same, differs };
  }
  const agree = ({ asked, legal, same }) => asked > 0 && 2 * legal >= asked && same >= 0.5 * legal;

  function sameWhenSwapped(set, out, into) {
    const pair = out * parts + into;
    const known = witness.get(pair);
    if (known && isIn(set, known[0]) && isIn(set, known[1])) return false;
    if (!known && !exchanges.has(pair)) {
      const all = [];
      const every = new Uint32Array(table.words).fill(-1);
      if (table.rows & 31) every[table.words - 1] = (1 << (table.rows & 31)) - 1;
      const { differs } = look(every, out, into, all);
      if (differs) { witness.set(pair, differs); return sameWhenSwapped(set, out, into); }
      exchanges.set(pair, Uint32Array.from(all));
    }
    const found = exchanges.get(pair);
    if (found && table.planes[into].length === 1) {
      // Nothing differs anywhere: what is left to say is how many of the builds can be exchanged.
      const asked = countAll(set, [table.planes[out][0]]) - countAll(set, [table.planes[out][0], table.planes[into][0]]);
      let [legal, same] = [0, 0];
      for (let i = 0; i < found.length; i += 3) {
        if (isIn(set, found[i]) && isIn(set, found[i + 1])) { legal += 1; if (!found[i + 2]) same += 1; }
      }
      return agree({ asked, legal, same });
    }
    const seen = look(set, out, into);
    if (seen.differs) { witness.set(pair, seen.differs); return false; }
    return agree(seen);
  }
  return (set, one, other) => sameWhenSwapped(set, one, other) && sameWhenSwapped(set, other, one);
}
