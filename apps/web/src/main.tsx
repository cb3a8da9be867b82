import "./styles.css";

/** Gives the browser a turn: to draw, or to answer a finger. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Until the outline that came with the page is on screen, where one came; of a tab that nobody sees nothing is drawn. */
const drawn = () =>
  new Promise<void>((resolve) => {
    if (document.hidden || !document.getElementById("first-paint")) return resolve();
    new PerformanceObserver(() => resolve()).observe({ type: "paint", buffered: true });
    // Whatever holds it up: the product comes all the same.
    setTimeout(resolve, 1_000);
  });

/** Fetches all files that the page names for its first screen (apps/server/src/http/web.ts), without running them. */
function fetchFirstFiles(): void {
  const { content = "" } = document.querySelector<HTMLMetaElement>('meta[name="first-files"]') ?? {};
  for (const href of content.split(" ").filter((file) => file.startsWith("/"))) {
    const link = Object.assign(document.createElement("link"), { rel: "modulepreload", href });
    link.crossOrigin = "";
    document.head.append(link);
  }
}

/**
 * What is to be seen first comes first: the outline in the page is drawn before any other file is asked for. The code then runs in parts,
 * between which the browser has its turn: in one go they would hold up a slow phone for as long as all of them take together.
 */
async function begin(): Promise<void> {
  await drawn();
  fetchFirstFiles();
  await import("./lib/react-dom.ts");
  await turn();
  const { start } = await import("./start.tsx");
  await turn();
  start();
}

void begin();
