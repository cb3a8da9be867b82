import "./styles.css";
import { QueryClientProvider } from "@tanstack/react-query";
import type { RegisteredRouter } from "@tanstack/react-router";
import { StrictMode, Suspense, startTransition, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { AuthGuard, loadFirstScreen } from "./app/auth-guard.tsx";
import { ErrorBoundary } from "./app/error-boundary.tsx";
import { unregisterOldWorkers } from "./lib/document.ts";
import { lateComponent } from "./lib/late-module.ts";
import { createQueryClient } from "./lib/query-client.ts";
import { useCurrentToast } from "./ui/toast.ts";

const Toaster = lateComponent(async () => ({ default: (await import("./ui/toaster.tsx")).Toaster }));

/** The code of toasts loads after the first paint when the browser is idle, so that it is available if the server becomes unreachable. */
function LateToaster() {
  const current = useCurrentToast();
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 1_000);
    return () => clearTimeout(timer);
  }, []);
  return isIdle || current ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}

function App({ loaded }: { loaded: RegisteredRouter | null }) {
  return (
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <AuthGuard loaded={loaded} />
      </ErrorBoundary>
      {/* Outside of the screens, so that a toast remains when its screen is left. */}
      <LateToaster />
    </QueryClientProvider>
  );
}

/** From here on the page shows that it is loading, or that the server does not respond. */
const longestWaitMs = 1_000;

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root");
const root = createRoot(container);
const client = createQueryClient();
void unregisterOldWorkers();
const late = AbortSignal.timeout(longestWaitMs);
const whenLate = new Promise<null>((resolve) => late.addEventListener("abort", () => resolve(null)));
// Rendered once, with all that the first screen needs: on a slow phone each rendering of less would put it off by a tenth of a second.
void Promise.race([loadFirstScreen(client, late), whenLate]).then((loaded) =>
  // A transition, so that React renders in slices and a slow phone stays responsive.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App loaded={loaded} />
      </StrictMode>,
    ),
  ),
);
