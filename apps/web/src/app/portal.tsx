import type { CurrentUser } from "@portal/contract/entities/user";
import { useQueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { startLiveEvents } from "../lib/events.ts";
import { LateNotices } from "./late-notices.tsx";
import { createPortalRouter } from "./router.tsx";

/** Everything behind the sign-in: routes, live events, reminders. */
export function Portal({ user }: { user: CurrentUser }) {
  const client = useQueryClient();
  const [router] = useState(() => createPortalRouter({ client, user }));
  useEffect(() => startLiveEvents(client), [client]);
  return (
    <>
      <RouterProvider router={router} context={{ client, user }} />
      <LateNotices router={router} />
    </>
  );
}
