// Light or dark: as the system has it, until somebody presses the button.
const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
/** The button that changes colours; `changed` draws anew what has colours of its own. */
function offerTheme(changed = () => {}) {
  const theme = document.getElementById("theme");
  const name = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    name();
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { name(); changed(); });
  name();
}
