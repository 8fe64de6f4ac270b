// What an optimiser loses without a choice, and without two of them: analysis/must_haves.py.
const MOST_TOGETHER = 4;
const MORE_THAN_ALONE = 2; // without both of a pair a build loses this many times what it loses without either
const ABOUT = 0.8; // a combination costs about as much as its parts from this share on

function lossOf(contest, choices, row) {
  if (row < 0) return { choices, row: null, apart: Infinity, factor: null, isHeavy: true, isOpen: false };
  const [top, mine, margin] = [contest.loss(contest.winner), contest.loss(row), contest.yardstick.margin];
  const doubt = row === contest.winner ? 0 : SURE * Math.hypot(contest.error(row), contest.error(contest.winner));
  const apart = mine - top;
  return { choices, row, apart, factor: contest.yardstick.factor(top, mine), isHeavy: apart > margin, isOpen: apart > margin && apart <= margin + doubt };
}
const lossesWhenBanned = (contest, choices) => choices.map((choice) => lossOf(contest, [choice], contest.order.firstWithout([choice.plane])));

function* combinationsOf(things, size, from = 0) {
  if (size === 0) { yield []; return; }
  for (let i = from; i <= things.length - size; i += 1) for (const rest of combinationsOf(things, size - 1, i + 1)) yield [things[i], ...rest];
}
/** What the best build cannot do without. Options whose being together, when it is banned, costs about as much as each of
    them does are one. */
function neededTogether(contest, alone) {
  const heavy = alone.filter((loss) => loss.isHeavy && loss.factor !== null && canBeNeeded(loss.choices[0]));
  // A build that needs four of a card needs three of it: only the highest number counts.
  let left = [...new Map(heavy.map((loss) => [loss.choices[0].part, loss])).values()];
  const found = [];
  for (let size = Math.min(MOST_TOGETHER, left.length); size > 1; size -= 1) {
    for (const some of [...combinationsOf(left, size)]) {
      if (!some.every((loss) => left.includes(loss))) continue;
      const choices = some.map((loss) => loss.choices[0]);
      const together = lossOf(contest, choices, contest.order.firstWithNotAll(choices.map((choice) => choice.plane)));
      if (together.apart >= ABOUT * Math.max(...some.map((loss) => loss.apart))) {
        found.push(together);
        left = left.filter((loss) => !some.includes(loss));
      }
    }
  }
  return [...found, ...left];
}
/** Interchangeable must-haves: one can do without either of two, but not without both. */
function hiddenMustHaves(contest, choices, alone) {
  const light = choices.filter((choice, i) => canBeNeeded(choice) && !alone[i].isHeavy);
  const behind = new Map();
  const heavy = [];
  for (const [first, second] of combinationsOf(light, 2)) {
    if (first.part === second.part) continue;
    const row = contest.order.firstWithout([first.plane, second.plane]);
    if (row < 0) continue; // every build has one of them: that is no choice
    const loss = lossOf(contest, [first, second], row);
    const alike = alone[choices.indexOf(first)].apart + alone[choices.indexOf(second)].apart;
    if (!loss.isHeavy || loss.apart <= MORE_THAN_ALONE * alike) continue; // two losses that only add up are no pair
    heavy.push(loss);
    for (const [one, other] of [[first, second], [second, first]]) behind.set(one, [...(behind.get(one) ?? []), other]);
  }
  const sides = new Map(); // those that hide behind the same others are needed together
  for (const [choice, others] of behind) {
    const key = others.map((other) => `${other.part} ${other.level}`).sort().join();
    sides.set(key, [...(sides.get(key) ?? []), choice]);
  }
  const pairs = new Map(); // each pair of sides once
  for (const mine of sides.values()) {
    const losses = heavy.filter((loss) => loss.choices.some((choice) => mine.includes(choice)));
    const worst = losses.reduce((most, loss) => (loss.apart > most.apart ? loss : most));
    const others = behind.get(mine[0]);
    const key = [...mine, ...others].map((choice) => `${choice.part} ${choice.level}`).sort().join();
    if (!pairs.has(key)) pairs.set(key, { ...worst, choices: mine, others });
  }
  return [...pairs.values()];
}
