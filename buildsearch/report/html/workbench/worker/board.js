// The best builds under some edits and filters, with the ranks that their bounds allow.
const Z95 = 1.959963984540054;

function boardOf(table, contest, filters) {
  const some = Uint32Array.from(contest.seen);
  const keep = (plane, isWanted) => { for (let i = 0; i < some.length; i += 1) some[i] &= isWanted ? plane[i] : ~plane[i]; };
  const nobody = new Uint32Array(table.words);
  for (const [part, isWanted] of filters.parts) keep(table.planes[part][0] ?? nobody, isWanted);
  if (filters.group !== null) keep(table.groupPlane(filters.group), true);
  if (filters.cost !== null) forEachRow(some, (row) => { if (table.costs(row)[0] > filters.cost) some[row >>> 5] &= ~(1 << (row & 31)); });
  const rows = [];
  contest.order.forEach(some, (row) => { rows.push(row); return rows.length < filters.shown; });
  const ranks = rankers(table, contest);
  return {
    fit: countOf(some),
    rows: rows.map((row) => ({
      row, parts: table.partsOf(row), group: table.group[row], costs: table.costs(row), score: contest.score(row),
      ...ranks(row), means: contest.scoring.means.map((means) => means[row]),
    })),
  };
}
/** The rank of a build among those of a contest; null where it is none of them. Builds with the same score share it. */
function rankIn(table, contest, row) {
  if (contest.winner < 0 || !isIn(contest.seen, row)) return null;
  return 1 + contest.order.countBetter(contest.seen, (table.about.score.up ? -1 : 1) * contest.score(row) - table.about.tie);
}
/** search/rank_ranges.py: a rank is a range where bounds of scores reach across one another. */
function rankers(table, contest) {
  const { scoring, seen, order } = contest;
  const sign = table.about.score.up ? -1 : 1;
  const tie = table.about.tie;
  const bounds = (row, score) => {
    if (contest.isGiven && scoring.below) return [sign * score - (sign > 0 ? scoring.below : scoring.above)[row], sign * score + (sign > 0 ? scoring.above : scoring.below)[row]];
    const half = Z95 * contest.rawError(row);
    return [sign * score - half, sign * score + half];
  };
  contest.sampled ??= sampledOf();
  function sampledOf() {
    if (scoring.isExact) return { exact: seen, lows: [], highs: [] };
    // Few builds are sampled; all others are in order, so that counting them is a search.
    const exact = Uint32Array.from(seen);
    for (let i = 0; i < exact.length; i += 1) exact[i] &= ~scoring.sampled[i];
    const [lows, highs] = [new Float64Array(scoring.sampledRows.length), new Float64Array(scoring.sampledRows.length)];
    let found = 0;
    for (const row of scoring.sampledRows) if (isIn(seen, row)) { [lows[found], highs[found]] = bounds(row, contest.score(row)); found += 1; }
    return { exact, lows: lows.subarray(0, found), highs: highs.subarray(0, found) };
  }
  const { exact, lows, highs } = contest.sampled;
  /** How many of some numbers lie below one, or are it: few builds are shown, so nobody sorts them. */
  const below = (numbers, value, orIs) => {
    let total = 0;
    for (let i = 0; i < numbers.length; i += 1) if (numbers[i] < value || (orIs && numbers[i] === value)) total += 1;
    return total;
  };
  const upTo = (value) => order.countBetter(exact, value);
  return (row) => {
    const score = contest.score(row);
    const [low, high] = bounds(row, score);
    const isExact = low === high;
    const best = 1 + upTo(low - tie) + below(highs, low - tie, false);
    const worst = Math.max(best, upTo(high + tie * 1.0000001) + below(lows, high + tie, true));
    const rank = 1 + order.countBetter(seen, sign * score - tie);
    const tied = isExact ? upTo(sign * score + tie * 1.0000001) - upTo(sign * score - tie) : 1;
    const isOpen = worst > best && (!isExact || worst - best >= tied);
    const ends = sign > 0 ? [low, high] : [-high, -low];
    return { rank, rankText: isOpen ? `${best}\u2013${worst}` : `${rank}${tied > 1 ? "=" : ""}`, bounds: isExact ? null : ends };
  };
}
