import { useState } from "react";
import { createQueryClient } from "../lib/query-client.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Gate } from "./gate.tsx";
import { Providers } from "./providers.tsx";

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <Providers client={client}>
      <ErrorBoundary>
        <Gate />
      </ErrorBoundary>
    </Providers>
  );
}
