// Questions in, answers out. Everything that takes time happens here, so that the page never waits.
let table;
let find;
let given; // the order of the run
let orderBy;
let ordered = { scoring: null, key: "", order: null };

function orderOf(scoring, weights) {
  const key = weights.join();
  if (scoring === table.given && key === table.about.weights.join()) return given;
  if (ordered.scoring !== scoring || ordered.key !== key) ordered = { scoring, key, order: (orderBy ??= makeOrderer(table))(scoring, weights) };
  return ordered.order;
}
/** What edits alone say: which builds there are, and what they choose between. Weights move over the same. */
let settled = { key: null, scoring: null, legal: null, builds: 0, choices: null };
function settle(scoring, edits) {
  const key = JSON.stringify(edits.map((edit) => edit.text));
  if (settled.key === key && settled.scoring === scoring) return settled;
  const legal = table.legal(edits);
  const prices = table.about.prices.map((price, part) => {
    const change = edits.flatMap((edit) => edit.prices ?? []).filter((each) => each[1] === part).reduce((sum, each) => sum + each[2], 0);
    return change ? (price ?? 0) + change : price;
  });
  settled = { key, scoring, legal, builds: countOf(legal), choices: choicesOf(table, scoring.alike, legal, prices) };
  return settled;
}
function contestOf(scoring, legal, weights) {
  const seen = scoring.known ? Uint32Array.from(legal, (word, i) => word & scoring.known[i]) : legal;
  const all = orderOf(scoring, weights);
  const order = all.among(seen);
  const [winner, last] = [order.first, order.last];
  const known = { legal, seen, scoring, order, winner, last, isGiven: all.isGiven, among: all.among };
  if (winner < 0) return known;
  // Without a declared span differences are parts of what the builds spread over.
  const about = table.about;
  const span = about.score.span || Math.abs(all.score(last) - all.score(winner)) || 1;
  const yardstick = makeYardstick({ ...about.score, span }, about.limits);
  return {
    ...known, yardstick,
    score: all.score, rawError: all.error,
    loss: (row) => yardstick.loss(all.score(row)),
    error: (row) => yardstick.error(all.score(row), all.error(row)),
  };
}
const named = (choice) => ({ part: choice.part, level: choice.level, isChosen: choice.isChosen });
const buildOf = (contest, row) => ({ parts: table.partsOf(row), group: table.group[row], score: contest.score(row) });

function measure(scoring, edits, weights) {
  const { legal, builds, choices } = settle(scoring, edits);
  const contest = contestOf(scoring, legal, weights);
  if (contest.winner < 0) return { contest, told: { builds: 0, isClosed: table.isClosed(edits) } };
  const reaches = reachesOf(contest, choices);
  const reference = referenceOf(contest, reaches);
  const over = overpoweredOf(contest, reference);
  const silent = silentWhy(contest, reaches, reference, table.about.limits, builds);
  const alone = lossesWhenBanned(contest, choices);
  const needed = neededTogether(contest, alone);
  const hidden = needed.length ? [] : hiddenMustHaves(contest, choices, alone);
  const decided = decidedOf(contest, table.about.least, weights, table.about.limits);
  const top = contest.loss(contest.winner);
  const mustHave = (loss) => ({ choices: loss.choices.map(named), others: loss.others?.map(named), factor: loss.factor, isOpen: loss.isOpen, score: contest.score(loss.row) });
  return {
    contest,
    told: {
      builds, isClosed: table.isClosed(edits), silent,
      best: buildOf(contest, contest.winner),
      reference: reference?.score ?? null,
      band: reference && [-1, 1].map((sign) => contest.yardstick.score(reference.loss + sign * contest.yardstick.margin)).sort((a, b) => a - b),
      ahead: reference ? contest.yardstick.factor(top, reference.loss) : null,
      freedom: freedomOf(reaches, table.about.limits.viable),
      reaches: reaches.map((each) => ({ ...named(each.choice), counts: isCounted(each.choice), price: each.choice.price, like: each.choice.like, builds: each.choice.builds, score: each.score, viability: each.viability, mean: each.mean, best: table.partsOf(each.row), isLow: isBeyond(scoring, each.score) })),
      overpowered: { builds: over.rows.length, sure: over.sure, some: over.rows.slice(0, 5).map((row) => buildOf(contest, row)), isLow: over.rows.length > 0 && isMissing(scoring, contest.score(over.rows.at(-1))) },
      mustHaves: needed.map(mustHave),
      hidden: hidden.map(mustHave),
      decided: decided && { ...decided, found: decided.found.map(({ row, fights }) => ({ ...buildOf(contest, row), fights })) },
    },
  };
}
// Where builds were left out of the page: behind these scores it does not know everything.
const isBehind = (score, limit) => limit !== null && (table.about.score.up ? score <= limit : score >= limit);
const isBeyond = (scoring, score) => isBehind(score, scoring.sure);
const isMissing = (scoring, score) => isBehind(score, scoring.complete);

// The scoring of other numbers, as far as it is known; null while they are those of the run.
let after = null;
/** More scores of other numbers, for some rows: `whole` once that is all of them. Without any, back to those of the run. */
async function rescore(parcel) {
  if (!parcel) { after = null; return null; }
  const arrays = await unpack(parcel.text, parcel.sections);
  const { about, rows, words } = table;
  const names = Object.keys(arrays).filter((name) => name !== "row");
  const all = parcel.isFirst || !after ? Object.fromEntries(names.map((name) => [name, new arrays[name].constructor(rows)])) : after.arrays;
  const known = parcel.isFirst || !after ? new Uint32Array(words) : after.known ?? new Uint32Array(words);
  arrays.row.forEach((row, i) => { for (const name of names) all[name][row] = arrays[name][i]; put(known, row); });
  const limits = { sure: parcel.complete, complete: parcel.complete };
  after = { ...scoringOf(about, all), arrays: all, known: parcel.whole ? null : known, builds: parcel.builds, ...limits };
  after.alike = parcel.whole ? makeAlike(table, after, find) : table.given.alike;
  return { builds: parcel.builds };
}

let today;
let before = { key: "", board: null };
async function begin({ about, builds }) {
  const arrays = await unpack(builds, about.sections);
  const levers = JSON.parse(new TextDecoder().decode(arrays.levers));
  table = makeTable(about, arrays);
  given = givenOrder(table);
  find = makeFinder(table);
  Object.assign(table.given, { alike: makeAlike(table, table.given, find), sure: about.sure, complete: about.complete });
  today = measure(table.given, [], about.weights);
  return { levers, today: today.told };
}
function answer({ edits, weights, filters }) {
  const begun = performance.now();
  const key = JSON.stringify(filters);
  if (before.key !== key) {
    table.legal([]); // costs are those of the last question, and this board is at the prices of today
    settled.key = null;
    before = { key, board: boardOf(table, today.contest, filters) };
  }
  const { contest, told } = measure(after ?? table.given, edits, weights);
  const kept = Uint32Array.from(contest.legal);
  for (let i = 0; i < kept.length; i += 1) kept[i] &= today.contest.legal[i];
  const board = told.builds ? boardOf(table, contest, filters) : { fit: 0, rows: [] };
  const beside = ({ fit, rows }, other) => ({ fit, rows: rows.map((row) => ({ ...row, other: rankIn(table, other, row.row) })) });
  return {
    ...told, kept: countOf(kept) / today.told.builds, rescored: after && { builds: after.builds, isWhole: after.known === null, complete: after.complete },
    board: beside(board, today.contest), before: beside(before.board, contest), milliseconds: performance.now() - begun,
  };
}
onmessage = async ({ data }) => {
  try {
    postMessage({ number: data.number, answer: data.about ? await begin(data) : data.rescored !== undefined ? await rescore(data.rescored) : answer(data) });
  } catch (error) {
    postMessage({ number: data.number, problem: String(error?.message ?? error) });
  }
};
