// Script of the page that the service worker shows without a network. The keys repeat src/lib/storage-keys.ts.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read("lead-desk.theme");
  const language = read("lead-desk.language") === "es" ? "es" : "en";
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", dark);
  root.style.colorScheme = dark ? "dark" : "light";
  root.lang = language;

  const healthMs = 5_000;
  /**
   * Loads the requested page as soon as the portal responds: the browser may report itself offline although a portal in its own network is
   * reachable.
   */
  const retry = async () => {
    const answer = await fetch("/api/health").catch(() => null);
    if (answer?.ok) location.reload();
  };
  addEventListener("online", retry);
  setInterval(retry, healthMs);
  addEventListener("DOMContentLoaded", () => {
    for (const element of document.querySelectorAll("[data-en]"))
      element.textContent = element.dataset[language];
    document.querySelector("button").addEventListener("click", retry);
  });
})();
