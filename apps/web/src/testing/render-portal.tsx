import type { CurrentUser } from "@portal/contract/entities/user";
import { useQueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { createPortalRouter } from "../app/router.tsx";
import { buildUser } from "./builders.ts";
import { renderApp } from "./render.tsx";

/** Renders the portal at an address, signed in, with its shell and routes; without the live event stream. */
export function renderPortal(address: string, user: CurrentUser = buildUser()) {
  window.history.replaceState(null, "", address);
  return renderApp(<Routes user={user} />, { currentUser: user });
}

function Routes({ user }: { user: CurrentUser }) {
  const client = useQueryClient();
  const [router] = useState(() => createPortalRouter({ client, user }));
  return <RouterProvider router={router} context={{ client, user }} />;
}
