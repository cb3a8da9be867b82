import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { currentUserQuery } from "../../lib/query-client.ts";
import { followNotifications, letNewWorkerBegin, registerWorker, resumePush } from "./register-worker.ts";

interface PortalWorkerLinkProps {
  /** Navigates to an address of the portal without a page load. */
  go: (path: string) => void;
  /** Calls the listener after each navigation, until the returned function is called. */
  onNavigation: (listener: () => void) => () => void;
}

/**
 * Registers the portal's service worker once the page is shown, activates a new version of it at a navigation, opens pages for its
 * notifications, and renews this browser's push subscription if the user turned push on here.
 */
export default function PortalWorkerLink({ go, onNavigation }: PortalWorkerLinkProps) {
  const { data: user } = useQuery(currentUserQuery());
  const userId = user?.id;
  const onGo = useEffectEvent(go);
  const watchNavigations = useEffectEvent(onNavigation);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    void registerWorker().then((registration) => {
      if (isGone) return;
      letNewWorkerBegin(registration);
      stop = watchNavigations(() => letNewWorkerBegin(registration));
    });
    return () => {
      isGone = true;
      stop?.();
    };
  }, []);
  useEffect(() => followNotifications((path) => onGo(path)), []);
  useEffect(() => {
    // The portal works without push; Settings shows the state.
    if (userId !== undefined) resumePush(userId).catch(() => undefined);
  }, [userId]);
  return null;
}
