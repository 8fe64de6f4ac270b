let lastAnswer = null;
function drawControls() {
  for (const pieces of optionRows.values()) drawOption(pieces);
  drawLevers();
  drawWeights();
  drawEdits();
  drawShare();
}
function drawAnswer(answer) {
  lastAnswer = answer;
  drawFigures(answer);
  drawPicture(answer);
  drawReaches(answer);
  drawVerdict(answer);
  drawNotes(answer);
  drawBoards(answer);
  document.documentElement.dataset.milliseconds = answer.milliseconds.toFixed(1);
  // For those who do not see the bar: once a drag has ended.
  if (begun === null && answer.builds) document.getElementById("said").textContent = `Best build ${shownScore(answer.best.score)}, ${viableOf(answer).options} of ${viableOf(answer).of} options viable, ${say(answer.overpowered.builds)} overpowered builds.`;
}
async function start() {
  const { sections, ...about } = data;
  const begunAt = performance.now();
  const found = await post({ about: { ...about, sections }, builds: document.getElementById("builds").textContent });
  document.getElementById("builds").remove(); // the page has no use for the letters any more
  today = found.today;
  takeLevers(found.levers);
  makeOptions(today);
  makePicture();
  makeLevers();
  makeWeights();
  makeBoards();
  makeShare();
  for (const makeMore of makers) makeMore();
  tellUnknown(takeState(location.hash.slice(1)));
  document.getElementById("loading").hidden = true;
  settled();
  document.documentElement.dataset.loaded = (performance.now() - begunAt).toFixed(0);
  document.documentElement.dataset.ready = "";
}

offerTheme();
start().catch((error) => fail(error.message));
