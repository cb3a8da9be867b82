import type { CurrentUser } from "@portal/contract/entities/user";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RegisteredRouter, RouterProvider } from "@tanstack/react-router";
import { startTransition, useEffect, useState } from "react";
import { useConnection } from "../lib/connection.ts";
import { startLiveEvents } from "../lib/events.ts";
import { useHasContent, useLateModule } from "../lib/late-module.ts";
import { createPortalRouter } from "./router.tsx";
import { Splash } from "./splash.tsx";

/** The routes with the page of the current address loaded, or with its failure, so that the first rendering shows it. */
export async function loadRouter(client: QueryClient, user: CurrentUser): Promise<RegisteredRouter> {
  const router = createPortalRouter({ client, user });
  await router.load().catch(() => undefined);
  return router;
}

const load = () => import("./notifications.tsx");

/** Reminders of meetings, texts and missed calls on every page. Their code loads after the page's content. */
function LateNotifications({ router }: { router: RegisteredRouter }) {
  const hasContent = useHasContent(router);
  const Notifications = useLateModule(load, hasContent)?.default;
  return Notifications ? <Notifications router={router} /> : null;
}

/** From here on the frame renders even without its page, because a call or a session may be under way. */
const longestLoadMs = 1_000;
/** After this time a spinner replaces the previous page; without a connection that page stays. */
const pendingMs = 1_000;

/**
 * Whether the page's code has loaded or takes long. Loaded, the portal renders as a transition, in slices; otherwise at once, because the
 * router may finish loading between two slices, before it is mounted.
 */
function useLoaded(router: RegisteredRouter, isKnown: boolean): boolean {
  const [isLoaded, setLoaded] = useState(isKnown);
  useEffect(() => {
    if (isKnown) return;
    const late = setTimeout(() => setLoaded(true), longestLoadMs);
    // The router shows a failure.
    const draw = () => startTransition(() => setLoaded(true));
    router.load().then(draw, draw);
    return () => clearTimeout(late);
  }, [router, isKnown]);
  return isLoaded;
}

/** Everything behind the sign-in: routes, live events, reminders. `loaded` serves the user whom it was loaded for. */
export function Portal({ user, loaded }: { user: CurrentUser; loaded: RegisteredRouter | null }) {
  const client = useQueryClient();
  const [known] = useState(() => (loaded?.options.context.user === user ? loaded : null));
  const [router] = useState(() => known ?? createPortalRouter({ client, user }));
  const isLoaded = useLoaded(router, known !== null);
  const isUp = useConnection() === "up";
  // Opened before the page's own queries; what was loaded before is read once more when the stream is open (`lib/events`).
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
