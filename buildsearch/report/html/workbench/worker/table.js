// All builds, the best first, and which of them are legal under other prices and bans: balancing/table.py in the browser.
function makeTable(about, arrays) {
  const rows = about.rows;
  const words = wordsFor(rows);
  const group = arrays.group;
  const planes = about.parts.map(() => []); // planes[part][k - 1]: builds that have at least k of it
  const free = new Set(about.free);
  for (const part of about.free) {
    const bits = [];
    while (arrays[`part ${part} bit ${bits.length}`]) bits.push(arrays[`part ${part} bit ${bits.length}`]);
    if (about.most[part] === 1) planes[part] = bits;
    else planes[part] = atLeast(bits, about.most[part]);
  }
  for (let part = 0; part < about.parts.length; part += 1) {
    if (free.has(part)) continue;
    for (let level = 1; level <= about.most[part]; level += 1) {
      const plane = new Uint32Array(words);
      for (let row = 0; row < rows; row += 1) if (about.fixed[group[row]][part] >= level) put(plane, row);
      planes[part].push(plane);
    }
  }
  function atLeast(bits, most) {
    const found = [];
    for (let level = 1; level <= most; level += 1) found.push(new Uint32Array(words));
    for (let row = 0; row < rows; row += 1) {
      let level = 0;
      bits.forEach((plane, bit) => { level |= isIn(plane, row) << bit; });
      for (let k = 0; k < level; k += 1) put(found[k], row);
    }
    return found;
  }

  // What builds pay, under the prices of the last question: a step moves few prices, so only those are looked at.
  const books = about.accounts.map((account) => ({ ...account, raw: new Int32Array(rows), paid: about.parts.map(() => 0) }));
  function charge(book, part, price) {
    const change = price - book.paid[part];
    if (!change) return;
    for (const plane of planes[part]) forEachRow(plane, (row) => { book.raw[row] += change; });
    book.paid[part] = price;
  }
  const sumOf = (edits, key, account, place) => edits.reduce((total, edit) => total
    + (edit[key] ?? []).filter((each) => each[0] === account && (place === undefined || each[1] === place)).reduce((sum, each) => sum + each.at(-1), 0), 0);

  /** Which builds there are under some edits. */
  function legal(edits) {
    const found = new Uint32Array(words);
    books.forEach((book, account) => {
      about.parts.forEach((_, part) => { if (planes[part].length) charge(book, part, book.prices[part] + sumOf(edits, "prices", account, part)); });
      const budget = book.budget + sumOf(edits, "budgets", account);
      const factors = Int32Array.from(book.factors, (factor, number) => factor + sumOf(edits, "factors", account, number));
      const raw = book.raw;
      for (let i = 0, row = 0; i < words; i += 1) {
        let word = 0;
        for (let bit = 0; bit < 32 && row < rows; bit += 1, row += 1) {
          const cost = raw[row] * factors[group[row]];
          if (book.isSpent ? cost === budget : cost <= budget) word |= 1 << bit;
        }
        found[i] = account === 0 ? word : found[i] & word;
      }
      book.factorsNow = factors;
    });
    for (const edit of edits) {
      for (const ban of edit.bans ?? []) {
        const its = ban.map(([part, least]) => planes[part][least - 1]);
        if (its.some((plane) => !plane)) continue; // nobody has so many of it
        for (let i = 0; i < words; i += 1) {
          let all = found[i];
          for (const plane of its) all &= plane[i];
          found[i] &= ~all;
        }
      }
    }
    return found;
  }

  /** Whether every build that some edits let in is in the table. */
  function isClosed(edits) {
    const letting = edits.filter((edit) => edit.letsIn);
    if (!letting.length) return true;
    if (about.accounts.length !== 1 || about.accounts[0].isSpent || about.leftOut) return false;
    const highest = Math.max(...about.accounts[0].factors);
    let needed = 0;
    for (const edit of letting) {
      if (edit.factors) return false;
      for (const [, part, change] of edit.prices ?? []) needed -= change * highest * about.most[part];
      for (const [, change] of edit.budgets ?? []) needed += change;
    }
    return needed <= about.headroom;
  }

  const byGroup = [];
  function groupPlane(number) {
    if (!byGroup[number]) {
      byGroup[number] = new Uint32Array(words);
      for (let row = 0; row < rows; row += 1) if (group[row] === number) put(byGroup[number], row);
    }
    return byGroup[number];
  }
  const levelOf = (part, row) => { let level = 0; while (level < planes[part].length && isIn(planes[part][level], row)) level += 1; return level; };
  return {
    about, rows, words, group, planes, legal, isClosed, groupPlane,
    given: scoringOf(about, arrays),
    partsOf: (row) => about.parts.map((_, part) => [part, levelOf(part, row)]).filter(([, level]) => level),
    /** By account, under the last edits. */
    costs: (row) => books.map((book) => book.raw[row] * book.factorsNow[group[row]]),
  };
}
/** What builds score, by arrays as the run has them: one value for each row. */
function scoringOf(about, arrays) {
  const errors = about.fights.map((_, i) => arrays[`error ${i}`]);
  const sampled = new Uint32Array(wordsFor(about.rows));
  for (const its of errors) for (let row = 0; row < about.rows; row += 1) if (its[row] > 0) put(sampled, row);
  const sampledRows = [];
  forEachRow(sampled, (row) => { sampledRows.push(row); });
  return {
    score: arrays.score, means: about.fights.map((_, i) => arrays[`mean ${i}`]), errors, below: arrays.below, above: arrays.above,
    sampled, sampledRows: Uint32Array.from(sampledRows), isExact: !sampledRows.length,
  };
}
