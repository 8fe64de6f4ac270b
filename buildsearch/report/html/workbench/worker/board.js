// The best builds under some edits and filters, with the ranks that their bounds allow.
const Z95 = 1.959963984540054;

function boardOf(table, contest, filters) {
  const { view, seen } = contest;
  const some = Uint32Array.from(seen);
  const keep = (plane, isWanted) => { for (let i = 0; i < some.length; i += 1) some[i] &= isWanted ? plane[i] : ~plane[i]; };
  const nobody = new Uint32Array(table.words);
  for (const [part, isWanted] of filters.parts) keep(view.planes[part][0] ?? nobody, isWanted);
  if (filters.group !== null) keep(view.seen(table.groupPlane(filters.group)), true);
  if (filters.cost !== null) forEachRow(some, (row) => { if (table.costs(view.home(row))[0] > filters.cost) some[row >>> 5] &= ~(1 << (row & 31)); });
  const rows = [];
  forEachRow(some, (row) => { rows.push({ row, home: view.home(row) }); return rows.length < filters.shown; });
  const ranks = rankers(table, contest);
  return {
    fit: countOf(some),
    rows: rows.map(({ row, home }) => ({
      home, parts: table.partsOf(home), group: table.group[home], costs: table.costs(home), score: view.score(row),
      ...ranks(row, home), means: table.means.map((means) => means[home]),
    })),
  };
}
/** The rank of a build among those of a contest; null where it is none of them. Builds with the same score share it. */
function rankIn(table, contest, home) {
  if (contest.winner < 0 || !isIn(contest.legal, home)) return null;
  let row = contest.view.place(home);
  const score = contest.score(row);
  while (row > 0 && Math.abs(contest.score(row - 1) - score) <= table.about.tie) row -= 1;
  return 1 + countBefore(contest.seen, row);
}
/** search/rank_ranges.py: a rank is a range where bounds of scores reach across one another. */
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
    const sampled = view.seen(table.sampled);
    const exact = Uint32Array.from(seen);
    for (let i = 0; i < exact.length; i += 1) exact[i] &= ~sampled[i];
    const mine = Uint32Array.from(seen);
    for (let i = 0; i < mine.length; i += 1) mine[i] &= sampled[i];
    const [lows, highs] = [[], []];
    forEachRow(mine, (row) => { const [low, high] = bounds(view.home(row), view.score(row)); lows.push(low); highs.push(high); });
    return { exact, lows: Float64Array.from(lows).sort(), highs: Float64Array.from(highs).sort() };
  }
  const { exact, lows, highs } = contest.sampled;
  /** How many of sorted numbers lie below one, or are it. */
  const below = (sorted, value, orIs) => {
    let [from, to] = [0, sorted.length];
    while (from < to) { const middle = (from + to) >> 1; if (sorted[middle] < value || (orIs && sorted[middle] === value)) from = middle + 1; else to = middle; }
    return from;
  };
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
    const best = 1 + upTo(low - tie) + below(highs, low - tie, false);
    const worst = Math.max(best, upTo(high + tie * 1.0000001) + below(lows, high + tie, true));
    const rank = 1 + countBefore(seen, place(sign * score - tie));
    const tied = isExact ? upTo(sign * score + tie * 1.0000001) - upTo(sign * score - tie) : 1;
    const isOpen = worst > best && (!isExact || worst - best >= tied);
    const ends = sign > 0 ? [low, high] : [-high, -low];
    return { rank, rankText: isOpen ? `${best}\u2013${worst}` : `${rank}${tied > 1 ? "=" : ""}`, bounds: isExact ? null : ends };
  };
}
