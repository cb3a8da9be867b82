import "./styles.css";
import { readEarly } from "./lib/early-reads.ts";
import { turn } from "./lib/turn.ts";

/** Until the outline that came with the page is on screen, where one came; of a tab that nobody sees nothing is drawn. */
const drawn = () =>
  new Promise<void>((resolve) => {
    if (document.hidden || !document.getElementById("first-paint")) return resolve();
    // Whatever holds it up: the product comes all the same.
    setTimeout(resolve, 1_000);
    try {
      const observer = new PerformanceObserver(() => {
        observer.disconnect();
        resolve();
      });
      observer.observe({ type: "paint", buffered: true });
    } catch {
      // A browser may keep its times to itself.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    }
  });

/** What the page says of its first screen (apps/server/src/http/web.ts): paths, with nothing in between that is not one. */
function named(name: "first-files" | "first-reads"): string[] {
  const { content = "" } = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`) ?? {};
  return content.split(" ").filter((path) => path.startsWith("/"));
}

/** Fetches a module of the first screen without running it yet. */
function fetchAhead(href: string): void {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.crossOrigin = "";
  link.href = href;
  document.head.append(link);
}

/**
 * What is to be seen first comes first: the outline in the page is drawn before any other file is asked for. The code then runs in parts,
 * between which the browser has its turn: in one go they would hold up a slow phone for as long as all of them take together.
 */
async function begin(): Promise<void> {
  await drawn();
  for (const href of named("first-files")) {
    fetchAhead(href);
    await turn();
  }
  readEarly(named("first-reads"));
  await import("./lib/react-dom.ts");
  await turn();
  const { start } = await import("./start.tsx");
  await turn();
  await start();
}

void begin().catch((error: unknown) => {
  // public/theme.js says so in the page.
  dispatchEvent(new Event("load-failed"));
  throw error;
});
