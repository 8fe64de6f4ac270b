// What players choose between under some edits: choices_of of analysis/choices.py.
function choicesOf(table, alike, legal, prices) {
  const builds = countOf(legal);
  const counts = table.planes.map((levels) => levels.map((plane) => countAll(legal, [plane])));
  const most = counts.map((levels) => levels.filter((count) => count > 0).length);
  const varies = (part) => counts[part].some((count) => count > 0 && count < builds);
  const chosen = table.about.free.filter(varies);
  const others = table.about.parts.map((_, part) => part).filter((part) => most[part] > 0 && !chosen.includes(part));
  const isStat = (part) => table.about.stats.includes(part);
  const found = [];
  const known = new Set();
  for (const part of [...chosen, ...others]) {
    for (let level = 1; level <= most[part]; level += 1) {
      const count = counts[part][level - 1];
      // Other names for all builds, or for builds that another part stands for already, are no choice.
      if (count === builds) continue;
      if (most[part] > 1) {
        // Most decks hold some of every card: a number that sets a deck apart is a choice, and the whole card.
        if (2 * count > builds && (level > 1 || isStat(part))) continue;
        const key = fingerprint(legal, table.planes[part][level - 1]);
        if (known.has(key)) continue;
        known.add(key);
      }
      const isChosen = chosen.includes(part);
      const isCommon = most[part] > 1 && 2 * count > builds;
      found.push({ part, level, builds: count, isChosen, isCommon, isStat: isStat(part), plane: table.planes[part][level - 1], price: isChosen ? prices[part] : null, like: null });
    }
  }
  found.forEach((choice, place) => {
    if (!choice.isChosen || choice.level > 1) return;
    const rival = found.slice(0, place).find((each) => each.like === null && each.isChosen && each.level === 1
      && each.price === choice.price && alike(legal, each.part, choice.part));
    if (rival) choice.like = rival.part;
  });
  return found;
}
/** What acts like an earlier one does not count again, and a card of most decks sets none apart. */
const isCounted = (choice) => choice.like === null && !choice.isCommon;
/** Groups are no options, and every build must spend its points on some stats. */
const canBeNeeded = (choice) => choice.isChosen && !choice.isStat;
function fingerprint(set, plane) {
  let [a, b] = [0, 0];
  for (let i = 0; i < set.length; i += 1) {
    const word = set[i] & plane[i];
    if (word) { a = Math.imul(a ^ word ^ i, 2654435761); b = Math.imul((b + word) ^ (i << 7), 2246822519) ^ (b >>> 13); }
  }
  return `${a} ${b}`;
}
