import type { CurrentUser } from "@portal/contract/entities/user";
import { useQueryClient } from "@tanstack/react-query";
import { type RegisteredRouter, RouterProvider } from "@tanstack/react-router";
import { startTransition, useEffect, useState } from "react";
import { startLiveEvents } from "../lib/events.ts";
import { LateNotices } from "./late-notices.tsx";
import { createPortalRouter } from "./router.tsx";
import { Splash } from "./splash.tsx";

/** From here on the frame is drawn without its page, for a call or a calling session may be under way. */
const longestLoadMs = 1_000;

/** Whether the page's code is there, or takes long; the portal is drawn then as a transition, in slices. */
function useLoaded(router: RegisteredRouter): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    // A failure shows in the router's own place for it.
    const draw = () => startTransition(() => setLoaded(true));
    const late = setTimeout(draw, longestLoadMs);
    router.load().then(draw, draw);
    return () => clearTimeout(late);
  }, [router]);
  return isLoaded;
}

/** Everything behind the sign-in: routes, live events, reminders. */
export function Portal({ user }: { user: CurrentUser }) {
  const client = useQueryClient();
  const [router] = useState(() => createPortalRouter({ client, user }));
  const isLoaded = useLoaded(router);
  // Before anything is read: what is read while the stream is being opened need not be read again.
  useEffect(() => startLiveEvents(client), [client]);
  if (!isLoaded) return <Splash />;
  return (
    <>
      <RouterProvider router={router} context={{ client, user }} />
      <LateNotices router={router} />
    </>
  );
}
