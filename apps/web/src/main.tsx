import "./styles.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root");
void unregisterServiceWorkers();
// As a transition, so that React draws in slices and a slow phone answers fingers meanwhile.
startTransition(() =>
  createRoot(container).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

/** Unregisters service workers that older versions left behind. */
async function unregisterServiceWorkers(): Promise<void> {
  try {
    const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    await Promise.all(registrations.map((registration) => registration.unregister()));
  } catch {
    // Refused in private windows: then there is none to remove either.
  }
}
