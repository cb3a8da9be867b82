import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { currentUserQuery } from "../../lib/query-client.ts";
import { followNotifications, letNewWorkerBegin, registerWorker } from "./register-worker.ts";
import { resumePush } from "./subscribe-push.ts";

interface PortalWorkerLinkProps {
  /** Shows an address of the portal, without loading the page anew. */
  go: (path: string) => void;
  /** Calls the listener after each navigation, until the returned function is called. */
  onNavigation: (listener: () => void) => () => void;
}

/**
 * Registers the portal's service worker once the page is shown, lets a new version of it begin at a navigation, follows its notifications,
 * and joins this browser to push notifications again where its person turned them on.
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
    // Without it the portal works as ever; Settings says how it stands.
    if (userId !== undefined) resumePush(userId).catch(() => undefined);
  }, [userId]);
  return null;
}
