// Runs before the first paint, so that neither theme nor language flickers. The keys repeat src/lib/storage-keys.ts (a test compares them):
// this file is served unchanged, because the content security policy allows no inline script.
(() => {
  // The code did not load: the connection was lost, or a new release has replaced it.
  const tellFailure = () => {
    if (document.readyState === "loading") return addEventListener("DOMContentLoaded", tellFailure);
    document.getElementById("skeleton")?.remove();
    document.getElementById("load-failed")?.removeAttribute("hidden");
  };
  addEventListener("error", ({ target }) => target instanceof HTMLScriptElement && tellFailure(), true);

  const root = document.documentElement;
  let theme = null;
  let language = null;
  try {
    theme = localStorage.getItem("lead-desk.theme");
    language = localStorage.getItem("lead-desk.language");
  } catch {
    // Storage may be blocked: the defaults then apply.
  }
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", dark);
  root.style.colorScheme = dark ? "dark" : "light";
  root.lang = language === "es" ? "es" : "en";
})();
