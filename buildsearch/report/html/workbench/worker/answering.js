// Questions in, answers out. Everything that takes time happens here, so that the page never waits.
let table;
let alike;
let given;
let weigh;
let weighed = { key: "", view: null };

function contestOf(edits, weights) {
  const about = table.about;
  const legal = table.legal(edits);
  const key = weights.join();
  if (key !== about.weights.join() && weighed.key !== key) weighed = { key, view: (weigh ??= makeWeigher(table))(weights) };
  const view = key === about.weights.join() ? given : weighed.view;
  const seen = view.seen(legal);
  const winner = firstRow(seen);
  if (winner < 0) return { legal, seen, view, winner };
  let last = winner;
  for (let i = seen.length - 1; i >= 0; i -= 1) if (seen[i]) { last = (i << 5) + 31 - Math.clz32(seen[i]); break; }
  // Without a declared span differences are parts of what the builds spread over.
  const span = about.score.span || Math.abs(view.score(last) - view.score(winner)) || 1;
  const yardstick = makeYardstick({ ...about.score, span }, about.limits);
  return {
    legal, seen, view, winner, last, yardstick,
    score: view.score,
    loss: (row) => yardstick.loss(view.score(row)),
    error: (row) => yardstick.error(view.score(row), view.error(view.home(row))),
  };
}
const named = (choice) => ({ part: choice.part, level: choice.level, isChosen: choice.isChosen });
const buildOf = (contest, row) => { const home = contest.view.home(row); return { parts: table.partsOf(home), group: table.group[home], score: contest.score(row) }; };

function measure(edits, weights) {
  const contest = contestOf(edits, weights);
  const builds = countOf(contest.legal);
  if (!builds) return { contest, told: { builds: 0, isClosed: table.isClosed(edits) } };
  const prices = table.about.prices.map((price, part) => {
    const change = edits.flatMap((edit) => edit.prices ?? []).filter((each) => each[1] === part).reduce((sum, each) => sum + each[2], 0);
    return change ? (price ?? 0) + change : price;
  });
  const choices = choicesOf(table, contest.view, alike, contest.legal, contest.seen, prices);
  const reaches = reachesOf(contest, choices);
  const reference = referenceOf(contest, reaches);
  const over = overpoweredOf(contest, reference);
  const silent = silentWhy(contest, reaches, reference, table.about.limits, builds);
  const alone = lossesWhenBanned(contest, choices);
  const needed = neededTogether(contest, alone);
  const hidden = needed.length ? [] : hiddenMustHaves(contest, choices, alone);
  const culprits = silent ? [] : greedyCulprits(contest, choices, over.rows);
  const top = contest.loss(contest.winner);
  const mustHave = (loss) => ({ choices: loss.choices.map(named), others: loss.others?.map(named), factor: loss.factor, isOpen: loss.isOpen, score: contest.score(loss.row) });
  return {
    contest,
    told: {
      builds, isClosed: table.isClosed(edits), silent,
      best: buildOf(contest, contest.winner),
      reference: reference?.score ?? null,
      ahead: reference ? contest.yardstick.factor(top, reference.loss) : null,
      freedom: freedomOf(reaches, table.about.limits.viable),
      reaches: reaches.map((each) => ({ ...named(each.choice), price: each.choice.price, like: each.choice.like, builds: each.choice.builds, score: each.score, viability: each.viability, best: table.partsOf(contest.view.home(each.row)), isLow: isBeyond(each.score) })),
      overpowered: { builds: over.rows.length, sure: over.sure, some: over.rows.slice(0, 5).map((row) => buildOf(contest, row)), isLow: over.rows.length > 0 && isMissing(contest.score(over.rows.at(-1))) },
      mustHaves: needed.map(mustHave),
      hidden: hidden.map(mustHave),
      culprits: culprits.map((each) => ({ ...each, choices: each.choices.map(named) })),
    },
  };
}
// Where builds were left out of the page: behind these scores it does not know everything.
const isBeyond = (score) => table.about.sure !== null && (table.about.score.up ? score <= table.about.sure : score >= table.about.sure);
const isMissing = (score) => table.about.complete !== null && (table.about.score.up ? score <= table.about.complete : score >= table.about.complete);

let today;
let before = { key: "", board: null };
async function begin({ about, builds }) {
  const arrays = await unpack(builds, about.sections);
  const levers = JSON.parse(new TextDecoder().decode(arrays.levers));
  table = makeTable(about, arrays);
  given = asGiven(table);
  alike = makeAlike(table);
  today = measure([], about.weights);
  return { levers, today: today.told };
}
function answer({ edits, weights, filters }) {
  const begun = performance.now();
  const key = JSON.stringify(filters);
  if (before.key !== key) {
    table.legal([]); // costs are those of the last question, and this board is at the prices of today
    before = { key, board: boardOf(table, today.contest, filters) };
  }
  const { contest, told } = measure(edits, weights);
  const kept = Uint32Array.from(contest.legal);
  for (let i = 0; i < kept.length; i += 1) kept[i] &= today.contest.legal[i];
  const board = told.builds ? boardOf(table, contest, filters) : { fit: 0, rows: [] };
  const beside = ({ fit, rows }, other) => ({ fit, rows: rows.map((row) => ({ ...row, other: rankIn(table, other, row.home) })) });
  return {
    ...told, kept: countOf(kept) / today.told.builds,
    board: beside(board, today.contest), before: beside(before.board, contest), milliseconds: performance.now() - begun,
  };
}
onmessage = async ({ data }) => {
  try {
    postMessage({ number: data.number, answer: data.about ? await begin(data) : answer(data) });
  } catch (error) {
    postMessage({ number: data.number, problem: String(error?.message ?? error) });
  }
};
