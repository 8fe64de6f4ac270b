// Fights that a build ends in the least possible number of turns, nearly always: analysis/instant_wins.py, as far as means
// alone prove it. Turns are whole, so the chance of needing more than the least number is at most what the mean lies above it.
const LOOKED_AT = 50; // the best builds
const NEAR = 2; // further from the least number than this in the mean, nothing is decided

/** Builds that decide so much at once that they are accused, and how many more an engine would have to be asked about. */
function decidedOf(contest, least, weights, limits) {
  if (least === null) return null;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const enough = (weight) => weight / total >= limits.instant_weight - 1e-9;
  const [found, looked] = [[], []];
  contest.order.forEach(contest.seen, (row) => { looked.push(row); return looked.length < LOOKED_AT; });
  let open = 0;
  for (const row of looked) {
    let [proved, possible] = [0, 0];
    const fights = [];
    weights.forEach((weight, i) => {
      const above = contest.scoring.means[i][row] - least[i];
      if (above >= NEAR) return;
      possible += weight;
      if (above >= 1 - limits.instant_chance || contest.scoring.errors[i][row] > 0) return;
      proved += weight;
      fights.push(i);
    });
    if (enough(proved)) found.push({ row, fights });
    else if (enough(possible)) open += 1;
  }
  return { found, open, of: looked.length };
}
