import { StrictMode, startTransition } from "react";
import { App } from "./app/app.tsx";
import { cn } from "./lib/cn.ts";
import { rememberFont } from "./lib/font.ts";
import { createRoot } from "./lib/react-dom.ts";
import { unregisterServiceWorkers } from "./lib/service-workers.ts";
import { turn } from "./lib/turn.ts";

/** Draws the product into the page. */
export async function start(): Promise<void> {
  const container = document.getElementById("root");
  if (!container) throw new Error("index.html has no #root");
  void unregisterServiceWorkers();
  void rememberFont();
  // The first call reads the tables of all classes, which takes as long as drawing some of the page.
  cn("block");
  await turn();
  const root = createRoot(container);
  // As a transition, so that React draws in slices.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}
