import "./styles.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { unregisterOldWorkers } from "./lib/worker-address.ts";

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root");
void unregisterOldWorkers();
// As a transition, so that React draws in slices and a slow phone answers fingers meanwhile.
startTransition(() =>
  createRoot(container).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
