// Runs before the first paint, so that neither theme nor language flickers. The keys repeat src/lib/storage-keys.ts
// (a test compares them): this file is served as it is, because the content security policy allows no inline script.
(() => {
  const root = document.documentElement;
  let theme = null;
  let language = null;
  let fontSeen = null;
  try {
    theme = localStorage.getItem("lead-desk.theme");
    language = localStorage.getItem("lead-desk.language");
    fontSeen = localStorage.getItem("lead-desk.font-seen");
  } catch {
    // Storage may be blocked: the defaults then hold.
  }
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", dark);
  root.style.colorScheme = dark ? "dark" : "light";
  if (fontSeen) root.dataset.fontSeen = "";
  root.lang = language === "es" ? "es" : "en";
})();
