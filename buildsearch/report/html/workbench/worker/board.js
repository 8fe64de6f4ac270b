// The best builds under some edits and filters, with the ranks that their bounds allow.
const Z95 = 1.959963984540054;

function boardOf(table, contest, filters, other) {
  const { view, seen } = contest;
  const some = Uint32Array.from(seen);
  for (const [part, isWanted] of filters.parts) {
    const plane = view.planes[part][0];
    for (let i = 0; i < some.length; i += 1) some[i] &= isWanted ? (plane ? plane[i] : 0) : plane ? ~plane[i] : -1;
  }
  const rows = [];
  let fit = 0;
  forEachRow(some, (row) => {
    const home = view.home(row);
    if (filters.group !== null && table.group[home] !== filters.group) return true;
    if (filters.cost !== null && table.costs(home)[0] > filters.cost) return true;
    fit += 1;
    if (rows.length < filters.shown) rows.push({ row, home });
    return true;
  });
  const ranks = rankers(table, contest);
  return {
    fit,
    rows: rows.map(({ row, home }) => ({
      home, parts: table.partsOf(home), group: table.group[home], costs: table.costs(home), score: view.score(row),
      ...ranks(row, home), means: table.means.map((means) => means[home]),
      other: rankIn(table, other, home),
    })),
  };
}
/** The rank of a build among those of a contest; null where it is none of them. Builds with the same score share it. */
function rankIn(table, contest, home) {
  if (contest.winner < 0 || !isIn(contest.legal, home)) return null;
  let row = placeIn(table, contest, home);
  const score = contest.score(row);
  while (row > 0 && Math.abs(contest.score(row - 1) - score) <= table.about.tie) row -= 1;
  return 1 + countBefore(contest.seen, row);
}
function placeIn(table, { view }, home) {
  if (view.isGiven) return home;
  view.places ??= (() => { const found = new Uint32Array(table.rows); for (let row = 0; row < table.rows; row += 1) found[view.home(row)] = row; return found; })();
  return view.places[home];
}
/** search/places.py: a rank is a range where bounds of scores reach across one another. */
function rankers(table, contest) {
  const { view, seen } = contest;
  const sign = table.about.score.up ? -1 : 1;
  const tie = table.about.tie;
  const bounds = (home, score) => {
    if (view.isGiven && table.below) return [sign * score - (sign > 0 ? table.below : table.above)[home], sign * score + (sign > 0 ? table.above : table.below)[home]];
    const half = Z95 * view.error(home);
    return [sign * score - half, sign * score + half];
  };
  contest.sampled ??= sampledOf();
  function sampledOf() {
    // Few builds are sampled; all others are in order, so that counting them is a search.
    const exact = Uint32Array.from(seen);
    const found = [];
    forEachRow(seen, (row) => {
      const home = view.home(row);
      if (!table.errors.some((errors) => errors[home] > 0)) return true;
      exact[row >>> 5] &= ~(1 << (row & 31));
      const [low, high] = bounds(home, view.score(row));
      found.push({ low, high });
      return true;
    });
    return { exact, found };
  }
  const { exact, found } = contest.sampled;
  const place = (value) => { // the first row with a cost of at least this
    let [from, to] = [0, table.rows];
    while (from < to) { const middle = (from + to) >> 1; if (sign * view.score(middle) < value) from = middle + 1; else to = middle; }
    return from;
  };
  const upTo = (value) => { const end = place(value); return end >= table.rows ? countOf(exact) : countBefore(exact, end); };
  return (row, home) => {
    const score = view.score(row);
    const [low, high] = bounds(home, score);
    const isExact = low === high;
    const best = 1 + upTo(low - tie) + found.filter((each) => each.high < low - tie).length;
    const worst = Math.max(best, upTo(high + tie * 1.0000001) + found.filter((each) => each.low <= high + tie).length);
    const rank = 1 + countBefore(seen, place(sign * score - tie));
    const tied = isExact ? upTo(sign * score + tie * 1.0000001) - upTo(sign * score - tie) : 1;
    const isOpen = worst > best && (!isExact || worst - best >= tied);
    const ends = sign > 0 ? [low, high] : [-high, -low];
    return { rank, rankText: isOpen ? `${best}\u2013${worst}` : `${rank}${tied > 1 ? "=" : ""}`, bounds: isExact ? null : ends };
  };
}
