/** What is special about loadouts: several builds that help one another. */
const overall = (values) => {
  const total = d3.sum(data.weights);
  return d3.sum(values, (value, i) => (value ?? 0) * data.weights[i]) / total;
};
const wide = 380; // pixels for names: these are long
const memberName = (member) => partsText(member.parts).join(" + ");
const byFight = (show, of) => data.fights.map((fight, i) => ({ label: capital(fight), of: (row) => of(row)[i], show, number: true }));

/** In the dialog of a loadout. */
function loadoutParts(row) {
  const gains = sortable("Loss without it", [
    { label: capital(data.member), of: memberName }, { label: "On the whole", of: (member) => overall(member.gains), show: signed, number: true }, ...byFight(signed, (member) => member.gains),
  ], row.members, { tall: false });
  const fights = sortable("Scenario by scenario", [
    { label: "Scenario", of: (fight) => fight.name }, { label: capital(data.primary.label), of: (fight) => fight.mean, show: fixed, number: true },
    { label: "Better than the best of them alone by", of: (fight) => fight.synergy, show: signed, number: true },
  ], data.fights.map((name, i) => ({ name: capital(name), mean: row.means[i], synergy: row.synergy[i] })), { tall: false });
  const found = [make("h3", {}, `What its ${data.member}s do`), gains, make("h3", {}, "What they do together"), fights];
  if (row.usage.length) found.push(make("h3", {}, "What is done how often"), usageTable("How much of the time each action is taken", [row], { tall: false }));
  if (row.gap !== null) found.push(make("p", { class: "count" }, `No loadout of these candidates is better by more than ${say(row.gap)}.`));
  return found;
}

function usageTable(caption, rows, options) {
  const lines = rows.flatMap((row) => row.usage.map(([action, shares]) => ({ rank: row.rank, action, shares })));
  return sortable(caption, [
    { label: "Action", of: (line) => line.action },
    ...(rows.length > 1 ? [{ label: "Rank of the loadout", of: (line) => line.rank, number: true }] : []),
    ...byFight((value) => percent(value, 1), (line) => line.shares),
  ], lines, options);
}

/** A choice among the best loadouts. */
function chooseLoadout(rows, pick) {
  const control = make("select", {}, rows.map((row, i) => make("option", { value: i }, `${rankText(row)}: ${buildName(row)}`)));
  control.addEventListener("input", () => pick(rows[Number(control.value)]));
  return make("label", { class: "loadout" }, "Loadout", control);
}

function drawUsage() {
  const rows = data.rows.filter((row) => row.usage.length);
  if (!rows.length) return;
  let [chosen] = rows;
  const redraw = addSection("usage", "Usage", "What a loadout uses where", "How much of the time each action is taken under best play, scenario by scenario. The actions of a scenario add up to 100%.", {
    controls: [chooseLoadout(rows.slice(0, most), (row) => { chosen = row; redraw(); })],
    draw: (width) => {
      const names = chosen.usage.map(([action]) => capital(action));
      return heat("Heat map of usage by action and scenario", {
        cells: chosen.usage.flatMap(([action, shares], n) => data.fights.map((fight, i) => ({ y: names[n], x: capital(fight), share: shares[i], action }))),
        columns: data.fights.map(capital), cap: wide, rows: names, width: Math.min(width, 800),
        colour: (cell) => sequential(cell.share ?? 0), text: (cell) => percent(cell.share), title: (cell) => `${cell.action}\n${percent(cell.share, 1)} of the time in ${cell.x}`,
      });
    },
    table: usageTable("Share of the time by loadout, action and scenario", rows),
  });
}

function drawContributions() {
  const { rows } = data;
  let [chosen] = rows;
  // Those that are alike stand in rows of their own.
  const name = (member, i) => `${String.fromCharCode(65 + i)}: ${memberName(member)}`;
  const top = Math.max(1e-9, ...rows.slice(0, most).flatMap((row) => row.members.flatMap((member) => member.gains.map((gain) => Math.abs(gain ?? 0)))));
  const redraw = addSection("contributions", "Contributions", `What each ${data.member} adds`, `How much worse ${data.primary.label} gets in each scenario without this ${data.member}, under best play of the others.`, {
    controls: [chooseLoadout(rows.slice(0, most), (row) => { chosen = row; redraw(); })],
    draw: (width) => heat(`Heat map of contributions by ${data.member} and scenario`, {
      cells: chosen.members.flatMap((member, n) => data.fights.map((fight, i) => ({ y: name(member, n), x: capital(fight), gain: member.gains[i], full: memberName(member) }))),
      columns: data.fights.map(capital), cap: wide, rows: chosen.members.map(name), width: Math.min(width, 800),
      colour: (cell) => sequential(Math.max(0, cell.gain ?? 0) / top), text: (cell) => signed(cell.gain), title: (cell) => `${cell.full}\nworse by ${say(cell.gain)} without it in ${cell.x}`,
    }),
    table: sortable(`Contributions by loadout and ${data.member}`, [
      { label: capital(data.member), of: (line) => line.member }, { label: "Rank of the loadout", of: (line) => line.rank, number: true },
      { label: "On the whole", of: (line) => overall(line.gains), show: signed, number: true }, ...byFight(signed, (line) => line.gains),
    ], rows.flatMap((row) => row.members.map((member) => ({ rank: row.rank, member: memberName(member), gains: member.gains })))),
  });
}

function drawSynergy() {
  const shown = data.rows.slice(0, 20);
  const names = shown.map((row) => `${rankText(row)}: ${buildName(row)}`);
  const top = Math.max(1e-9, ...shown.flatMap((row) => row.synergy.map((gain) => Math.abs(gain ?? 0))));
  addSection("synergy", "Synergy", `What ${data.member}s do together`, `How much better ${data.primary.label} is than with the best single ${data.member} of the loadout, both played as well as can be. Nothing gained means that one ${data.member} does all the work.`, {
    draw: (width) => heat("Heat map of synergy by loadout and scenario", {
      cells: shown.flatMap((row, n) => data.fights.map((fight, i) => ({ y: names[n], x: capital(fight), gain: row.synergy[i], full: buildName(row) }))),
      columns: data.fights.map(capital), cap: wide, rows: names, width: Math.min(width, 900),
      colour: (cell) => sequential(Math.max(0, cell.gain ?? 0) / top), text: (cell) => signed(cell.gain), title: (cell) => `${cell.full}\nbetter by ${say(cell.gain)} in ${cell.x}`,
    }),
    table: sortable("Synergy by loadout", [
      { label: "Loadout", of: buildName }, { label: "Rank", of: (row) => row.rank, number: true }, { label: "Score", of: (row) => row.score, show: fixed, number: true },
      { label: "On the whole", of: (row) => overall(row.synergy), show: signed, number: true }, ...byFight(signed, (row) => row.synergy),
    ], data.rows),
  });
}

function drawMembers() {
  const shown = data.members.slice(0, 24);
  addSection("members", `${capital(data.member)}s`, `Which ${data.member}s the best loadouts take`, `The share of the ${whole.format(data.rows.length)} loadouts in this file that take each ${data.member}.`, {
    draw: (width) => chart(`Bars of the share of loadouts that take each ${data.member}; the table below has the numbers`, {
      width: Math.min(width, 1000), height: 60 + 22 * shown.length, ...namesAxis(shown.map(memberName), width, { cap: wide, share: 0.5 }), marginRight: 46, marginTop: 42,
      x: { label: "share of loadouts", axis: "top", grid: true, tickFormat: "%", ticks: width < 500 ? 4 : 8 },
      marks: [
        Plot.barX(shown, { x: "share", y: memberName, fill: "var(--accent)", insetTop: 3, insetBottom: 3, rx: 2 }),
        Plot.text(shown, { x: "share", y: memberName, text: (member) => percent(member.share), textAnchor: "start", dx: 5, fill: "var(--soft)", fontSize: 11 }),
        Plot.ruleX([0], { stroke: "var(--soft)" }),
      ],
    }),
    table: sortable(`${capital(data.member)}s of the best loadouts`, [
      { label: capital(data.member), of: memberName }, { label: "Share", of: (member) => member.share, show: (v) => percent(v, 1), number: true },
      { label: "Loadouts", of: (member) => member.loadouts, number: true }, { label: "Best rank", of: (member) => member.best, number: true },
    ], data.members),
  });
}
