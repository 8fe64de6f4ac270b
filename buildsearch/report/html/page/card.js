/** Everything about one build, in a dialog. */
function openCard(row) {
  const dialog = document.getElementById("card");
  const close = make("button", { type: "button", class: "quiet" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const facts = [`Rank ${rankText(row)}`, `score ${fixed(row.score)}${errorText(row) || ", exact"}`];
  if (data.hasCosts) facts.push(`cost ${row.cost}`);
  if (row.status) facts.push(row.status);
  if (row.tied > 1) facts.push(`tied with ${row.tied - 1} other${row.tied > 2 ? "s" : ""}`);
  const body = make("div", { class: "card-body" });
  dialog.replaceChildren(
    make("div", { class: "card-head" },
      make("div", {}, make("h2", { id: "card-title" }, buildName(row)), make("p", { class: "count" }, facts.join(", "))), close),
    body);
  dialog.showModal();
  dialog.scrollTop = 0;
  close.focus();
  body.append(...(row.members ? loadoutParts(row) : [...gains(row), ...scenarios(row, dialog), ...replay(row)]));
  const command = `buildsearch score "${row.build}" ${row.members ? "--play optimal --show-policy" : "--triggers"}`;
  body.append(make("h3", {}, "Its name on the command line"), make("p", {}, make("code", {}, row.card ? row.build : command)));
}

function gains(row) {
  const known = new Map(row.gains.map(([part, loss, swapped]) => [part, [loss, swapped]]));
  const swapped = row.gains.some((gain) => gain[2]);
  const most = Math.max(1e-9, ...row.gains.map((gain) => Math.abs(gain[1])));
  const order = [...row.parts].sort((a, b) => (known.get(b[0])?.[0] ?? -Infinity) - (known.get(a[0])?.[0] ?? -Infinity));
  const lines = order.map(([part, level]) => {
    const about = data.parts[part];
    const loss = known.get(part)?.[0];
    const small = [about.cost === null ? null : `cost ${about.cost}`, about.summary].filter(Boolean).join(", ");
    return make("div", { class: "gain" },
      make("span", {}, about.name + (level > 1 ? ` \u00d7${level}` : ""), small ? make("small", {}, small) : null),
      loss === undefined ? make("span", {}) : meter(Math.max(0, loss) / most),
      make("b", {}, loss === undefined ? dash : signed(loss)));
  });
  const what = swapped ? "How much worse the score gets when one of it makes way for the best replacement." : "How much worse the score gets without it.";
  return [make("h3", {}, "What its parts do"), make("p", { class: "count" }, what), ...lines];
}

function scenarios(row, dialog) {
  const width = Math.max(220, Math.min(390, dialog.clientWidth - 90));
  const articles = data.fights.map((fight, i) => {
    const its = row.card?.fights[i];
    const article = make("article", {}, make("h4", {}, capital(fight)),
      make("p", { class: "count" }, `${fixed(row.means[i])} ${data.primary.label}`, row.intervals?.[i] ? fromTo(row.intervals[i]) : row.halves?.[i] ? ` \u00b1${say(row.halves[i], 2)}` : ", exact"));
    if (its?.bars) {
      const bars = its.bars.shares.map((share, k) => ({ from: its.bars.from + k * its.bars.width, to: its.bars.from + (k + 1) * its.bars.width, share }));
      const label = `Distribution of ${data.primary.label} in ${fight}`;
      article.append(chart(label, {
        width, height: 130, marginLeft: 44, marginBottom: 34,
        x: { label: `${data.primary.label} (${goodEnd(data.primary.up)})` }, y: { label: null, tickFormat: "%", ticks: 3, grid: true },
        marks: [Plot.rectY(bars, { x1: (bar) => bar.from - its.bars.step / 2, x2: (bar) => bar.to - its.bars.step / 2, y: "share", fill: "var(--accent)", insetRight: 1 }), Plot.ruleY([0])],
      }));
      const rest = Object.entries(its.metrics).filter(([name]) => data.metrics[name] !== data.primary.label);
      article.append(make("p", { class: "count" },
        [...rest.map(([name, value]) => `${data.metrics[name] ?? name} ${say(value)}`), ...Object.entries(its.quantiles).map(([name, value]) => `${name} ${say(value)}`)].join(", ")));
      article.append(make("details", {}, make("summary", {}, "Table of the distribution"),
        sortable(label, [{ label: capital(data.primary.label), of: (bar) => bar.from, number: true }, { label: "Share of fights", of: (bar) => bar.share, show: (v) => percent(v, 1), number: true }], bars)));
    }
    if (its?.triggers.length) {
      article.append(sortable(`Triggers in ${fight}, ${data.triggerFights} fights`, [
        { label: "Part", of: (rate) => rate[0] },
        { label: "Usable (of the time)", of: (rate) => rate[1], show: (v) => percent(v), number: true },
        { label: "Fired (fights)", of: (rate) => rate[2], show: (v) => percent(v), number: true },
      ], its.triggers, { tall: false }));
    }
    return article;
  });
  const note = row.card ? null : make("p", { class: "count" }, "Distributions, triggers and a fight are in this file for the best builds only; report --cards says how many.");
  return [make("h3", {}, "Scenario by scenario"), note, make("div", { class: "fights" }, articles)].filter(Boolean);
}

function replay(row) {
  const fight = row.card?.replay;
  if (!fight) return [];
  const lines = fight.lines.join("\n") + (fight.hidden ? `\n... and ${fight.hidden} lines more` : "");
  return [
    make("h3", {}, "A sample fight"),
    make("p", { class: "count" }, `A median fight in ${fight.fight}, seed ${fight.seed}: ${say(fight.value)} ${data.primary.label}.`),
    make("pre", { class: "replay", tabindex: "0", role: "region", "aria-label": "A sample fight" }, lines),
  ];
}
