import "./styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { unregisterServiceWorkers } from "./lib/service-workers.ts";

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root");

void unregisterServiceWorkers();
createRoot(container).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
