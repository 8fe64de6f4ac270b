/** A table that sorts by a click on a head. Columns: {label, of(row), show(value), number}. */
function sortable(caption, columns, rows, { tall = true } = {}) {
  const body = make("tbody");
  const heads = columns.map((column) => {
    const button = make("button", { type: "button" }, column.label);
    const head = make("th", { scope: "col", class: column.number ? "number" : null }, button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "descending" || (!head.hasAttribute("aria-sort") && !column.number);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "ascending" : "descending");
      fill([...rows].sort((a, b) => compare(column.of(a), column.of(b)) * (down ? 1 : -1)));
    });
    return head;
  });
  function fill(some) {
    body.replaceChildren(
      ...some.map((row) =>
        make("tr", {}, columns.map((column, i) => {
          const value = column.of(row);
          const text = column.show ? column.show(value, row) : say(value);
          return make(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: column.number ? "number" : null }, text);
        })),
      ),
    );
  }
  fill(rows);
  const table = make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, heads)), body);
  return make("div", { class: `scroll${tall ? " tall" : ""}`, tabindex: "0", role: "region", "aria-label": caption }, table);
}

/** Unknown values come last in either order of numbers; text goes by the alphabet. */
function compare(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}
