// Bans behind overpowered builds, one after the other, the one first that loses the fewest builds for each it hits:
// good, and without a proof. The proved ones come from `analyze` and `balance` (analysis/causes.py).
const MOST_BUILDS = 200; // the best of the overpowered builds
const MOST_BANS = 200;

function greedyCulprits(contest, choices, rows) {
  const guilty = minimalOf(rows.slice(0, 4 * MOST_BUILDS).map((row) => choices.filter((choice) => isIn(choice.plane, row)))).slice(0, MOST_BUILDS);
  let bans = bansOf(guilty);
  const hits = (ban) => guilty.filter((mine) => ban.every((choice) => mine.includes(choice)));
  bans = bans.map((ban) => ({ ban, hit: new Set(hits(ban)) }));
  // The widest and those that most builds share; each build keeps one at least, its rarest options.
  bans.sort((a, b) => b.hit.size - a.hit.size || b.ban.length - a.ban.length);
  const rest = bans.splice(MOST_BANS);
  for (const mine of guilty) {
    if (!bans.some(({ hit }) => hit.has(mine))) bans.push(rest.find(({ hit }) => hit.has(mine)));
  }
  for (const each of bans) {
    const key = nameOfBan(each.ban);
    if (!contest.counts.has(key)) contest.counts.set(key, countAll(contest.seen, each.ban.map((choice) => choice.plane)));
    each.builds = contest.counts.get(key);
  }
  const left = new Set(guilty);
  const chosen = [];
  while (left.size) {
    let best = null;
    for (const each of bans) {
      const gain = [...each.hit].filter((mine) => left.has(mine)).length / Math.max(1, each.builds);
      if (gain > 0 && (!best || gain > best.gain)) best = { gain, each };
    }
    if (!best) break;
    chosen.push(best.each);
    for (const mine of best.each.hit) left.delete(mine);
  }
  // An earlier ban may be covered by the later ones together.
  let needed = chosen;
  for (const each of chosen) {
    const others = needed.filter((other) => other !== each);
    if ([...each.hit].every((mine) => others.some((other) => other.hit.has(mine)))) needed = others;
  }
  return needed.map(({ ban, builds }) => ({ choices: ban, builds, rows: rows.filter((row) => ban.every((choice) => isIn(choice.plane, row))).length }));
}
/** The builds that hold no other one: whatever bans those bans the others too. */
function minimalOf(builds) {
  const kept = [];
  for (const mine of [...builds].sort((a, b) => a.length - b.length)) {
    if (!kept.some((other) => other.every((choice) => mine.includes(choice)))) kept.push(mine);
  }
  return kept;
}
const nameOfBan = (ban) => ban.map((choice) => `${choice.part} ${choice.level}`).join();
/** Every ban that would hit one of the builds: up to three options, or up to two in one group. */
function bansOf(guilty) {
  const found = new Map();
  const add = (ban) => found.set(nameOfBan(ban), ban);
  const isOneEach = (ban) => new Set(ban.map((choice) => choice.part)).size === ban.length;
  for (const mine of guilty) {
    const parts = mine.filter((choice) => choice.isChosen);
    const groups = mine.filter((choice) => !choice.isChosen);
    for (let size = 1; size <= 3; size += 1) {
      for (const some of combinationsOf(parts, size)) {
        // Every build spends its points on stats: they are no cause without something else.
        if (!isOneEach(some) || (some.every((choice) => choice.isStat) && !parts.every((choice) => choice.isStat))) continue;
        add(some);
        if (size < 3) for (const group of groups) add([...some, group]);
      }
    }
  }
  return [...found.values()];
}
