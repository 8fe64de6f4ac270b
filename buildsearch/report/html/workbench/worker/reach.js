// How far one gets with each choice, and with any that one likes: analysis/reach.py.
function reachesOf(contest, choices) {
  const top = contest.loss(contest.winner);
  const found = [];
  for (const choice of choices) {
    const row = contest.order.firstWith(choice.plane);
    if (row < 0) continue;
    const loss = contest.loss(row);
    found.push({ choice, row, loss, score: contest.score(row), error: contest.error(row), viability: contest.yardstick.viability(top, loss), mean: meanOfBest(contest, choice) });
  }
  return found;
}
/** The mean score of the best few builds with a choice: what options are ranked by. */
function meanOfBest(contest, choice) {
  const rows = contest.order.someWith(choice.plane, table.about.limits.best_builds);
  return rows.reduce((sum, row) => sum + contest.score(row), 0) / rows.length;
}
/** The reaches that make the benchmark: options that are paid for. Where only stats have a cost, or nothing, all that builds choose. */
function pricedOf(reaches) {
  const chosen = reaches.filter(({ choice }) => choice.isChosen && isCounted(choice));
  const paid = chosen.filter(({ choice }) => choice.price !== null && !choice.isStat);
  return paid.length ? paid : chosen;
}
function referenceOf(contest, reaches) {
  const ordered = [...pricedOf(reaches)].sort((a, b) => a.loss - b.loss);
  if (!ordered.length) return null;
  const middle = ordered.slice((ordered.length - 1) >> 1, (ordered.length >> 1) + 1);
  const score = middle.reduce((sum, each) => sum + each.score, 0) / middle.length;
  const error = Math.sqrt(middle.reduce((sum, each) => sum + each.error ** 2, 0)) / middle.length;
  return { score, loss: contest.yardstick.loss(score), error };
}
function freedomOf(reaches, least) {
  const counted = reaches.filter(({ choice }) => isCounted(choice));
  return least.map((each) => ({ least: each, options: counted.filter(({ viability }) => viability >= each - 1e-9).length, of: counted.length }));
}
/** Builds far better than the reference level, the best first, and how many of them are so for sure. */
function overpoweredOf(contest, reference) {
  const rows = [];
  let sure = 0;
  if (!reference) return { rows, sure };
  const limit = reference.loss - contest.yardstick.margin;
  contest.order.forEach(contest.seen, (row) => {
    const loss = contest.loss(row);
    if (!(loss < limit)) return false;
    rows.push(row);
    if (loss + SURE * Math.hypot(contest.error(row), reference.error) < limit) sure += 1;
    return true;
  });
  return { rows, sure };
}
/** Why nothing can be flagged: too_small_why and flat_why of analysis/assessment.py. */
function silentWhy(contest, reaches, reference, limits, builds) {
  const options = reaches.filter(({ choice }) => isCounted(choice)).length;
  if (options < limits.fewest_options) return `Too few builds to judge: there are ${options} options, and judging needs ${limits.fewest_options}.`;
  const chosen = reaches.filter(({ choice }) => choice.isChosen && isCounted(choice));
  const paid = chosen.filter(({ choice }) => choice.price !== null);
  const contexts = middleOf((paid.length ? paid : chosen).map(({ choice }) => choice.builds));
  if (contexts < limits.fewest_contexts) return `Too few builds to judge: half of the options are in at most ${Math.round(contexts)} builds, and judging needs ${limits.fewest_contexts}.`;
  if (!reference) return "There is no option to choose.";
  const same = contest.score(contest.winner) === contest.score(contest.last);
  if (same) return "The scenarios do not separate builds: all of them score the same.";
  if (Math.abs(reference.loss - contest.loss(contest.winner)) < 1e-9) return "The scenarios do not separate builds: a build around any option does as well as the best.";
  if (contest.yardstick.isClipped(reference.loss)) return `The scenarios do not separate builds: a build around a typical option ${reference.loss < 0 ? "wins" : "loses"} nearly always.`;
  return null;
}
function middleOf(numbers) {
  if (!numbers.length) return 0;
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
