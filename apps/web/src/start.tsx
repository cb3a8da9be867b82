import { StrictMode, startTransition } from "react";
import { App } from "./app/app.tsx";
import { createRoot } from "./lib/react-dom.ts";
import { unregisterServiceWorkers } from "./lib/service-workers.ts";

/** Draws the product into the page. */
export function start(): void {
  const container = document.getElementById("root");
  if (!container) throw new Error("index.html has no #root");
  void unregisterServiceWorkers();
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
