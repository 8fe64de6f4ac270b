// Asking the server of this page, and nobody else: JSON in, lines of JSON out. One work at a time, as the server has it.
const token = new URLSearchParams(location.search).get("token") ?? "";
let atWork = null;

/** Each question says which rules this page shows; a server that has others refuses. */
async function ask(what, question, signal) {
  let response;
  const body = JSON.stringify({ rules: data.server.rules, ...question });
  try {
    response = await fetch(`/api/${what}`, { method: "POST", headers: { "Content-Type": "application/json", "X-Buildsearch-Token": token }, body, signal, credentials: "omit", cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is buildsearch serve still running?");
  }
  if (response.ok) return response;
  const why = ((await response.json().catch(() => null))?.problems ?? ["The server refused."]).join(" ");
  if (response.status === 409) offerReload(why, () => location.reload());
  throw new Error(why);
}
/** Every line that a work tells, one after the other; resolves to whether it came to its end. */
async function follow(what, question, onLine) {
  atWork?.abort();
  const mine = new AbortController();
  atWork = mine;
  try {
    const response = await ask(what, question, mine.signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let pieces = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      const parts = value.split("\n");
      pieces.push(parts[0]);
      for (const part of parts.slice(1)) {
        const line = JSON.parse(pieces.join(""));
        pieces = [part];
        if (line.kind === "problem") throw new Error(line.problems.join(" "));
        if (line.kind === "done") return true;
        if (line.kind === "cancelled") return false;
        await onLine(line);
      }
    }
  } catch (error) {
    if (error.name === "AbortError") return false;
    throw error;
  } finally {
    if (atWork === mine) atWork = null;
  }
}
