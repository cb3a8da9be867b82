import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { lateComponent } from "../lib/late-module.ts";
import { createQueryClient } from "../lib/query-client.ts";
import { useCurrentToast } from "../ui/toast.ts";
import { AuthGuard } from "./auth-guard.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";

const Toaster = lateComponent(async () => ({ default: (await import("../ui/toaster.tsx")).Toaster }));

/** The toasts' code comes after the first paint: when the browser is idle, so that it is there should the server go away. */
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

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <AuthGuard />
      </ErrorBoundary>
      {/* Outside the screens, so that a toast outlives the one it came from. */}
      <LateToaster />
    </QueryClientProvider>
  );
}
