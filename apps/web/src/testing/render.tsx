import type { CurrentUser } from "@portal/contract/entities/user";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type RenderResult, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { createQueryClient } from "../lib/query-client.ts";
import { Toaster } from "../ui/toaster.tsx";
import { buildUser } from "./builders.ts";

interface Rendered extends RenderResult {
  user: UserEvent;
  client: QueryClient;
}

/** Renders a component with the app's providers and toasts, signed in as `currentUser` (null: nobody, undefined: not loaded yet). */
export function renderApp(
  ui: ReactNode,
  { currentUser }: { currentUser: CurrentUser | null | undefined } = { currentUser: buildUser() },
): Rendered {
  const client = createQueryClient();
  client.setQueryData([getCurrentUser.path], currentUser);
  const user = userEvent.setup();
  const result = render(
    <QueryClientProvider client={client}>
      {ui}
      <Toaster />
    </QueryClientProvider>,
  );
  return { ...result, user, client };
}
