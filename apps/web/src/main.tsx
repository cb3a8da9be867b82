import "./styles.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, Suspense, startTransition, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { AuthGuard } from "./app/auth-guard.tsx";
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

function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <AuthGuard />
      </ErrorBoundary>
      {/* Outside of the screens, so that a toast remains when its screen is left. */}
      <LateToaster />
    </QueryClientProvider>
  );
}

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root");
void unregisterOldWorkers();
// A transition, so that React renders in slices and a slow phone stays responsive.
startTransition(() =>
  createRoot(container).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
