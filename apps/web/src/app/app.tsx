import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { createQueryClient } from "../lib/query-client.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Gate } from "./gate.tsx";
import { LateToaster } from "./late-toaster.tsx";

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <Gate />
      </ErrorBoundary>
      {/* Outside the screens, so that a toast outlives the one it came from. */}
      <LateToaster />
    </QueryClientProvider>
  );
}
