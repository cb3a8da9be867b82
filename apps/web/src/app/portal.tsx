import type { CurrentUser } from "@portal/contract/entities/user";
import { useQueryClient } from "@tanstack/react-query";
import { type RegisteredRouter, RouterProvider } from "@tanstack/react-router";
import { startTransition, useEffect, useState } from "react";
import { useConnection } from "../lib/connection.ts";
import { startLiveEvents } from "../lib/events.ts";
import { useHasContent, useLateModule } from "../lib/late-module.ts";
import { createPortalRouter } from "./router.tsx";
import { Splash } from "./splash.tsx";

const load = () => import("./notifications.tsx");

/** Reminders of meetings, texts and missed calls, on every page; their code comes once the page has its content. */
function LateNotifications({ router }: { router: RegisteredRouter }) {
  const hasContent = useHasContent(router);
  const Notifications = useLateModule(load, hasContent)?.default;
  return Notifications ? <Notifications router={router} /> : null;
}

/** From here on the frame is drawn without its page, for a call or a calling session may be under way. */
const longestLoadMs = 1_000;
/** After so long a spinner takes the place of the page that is left; without a connection that page stays. */
const pendingMs = 1_000;

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
  const isUp = useConnection() === "up";
  // Before anything is read: what is read while the stream is being opened need not be read again.
  useEffect(() => startLiveEvents(client), [client]);
  if (!isLoaded) return <Splash />;
  return (
    <>
      <RouterProvider
        router={router}
        context={{ client, user }}
        defaultPendingMs={isUp ? pendingMs : Number.POSITIVE_INFINITY}
      />
      <LateNotifications router={router} />
    </>
  );
}
