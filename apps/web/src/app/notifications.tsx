import type { RegisteredRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import FollowUpReminder from "../features/leads/follow-up-reminder.tsx";
import MeetingReminder from "../features/meetings/meeting-reminder.tsx";
import NotificationWatcher from "../features/notifications/notification-watcher.tsx";
import PortalWorker from "../features/notifications/portal-worker-link.tsx";
import { preloadLeadPanel } from "../lib/lead-panel.ts";
import { useRetainedFocus } from "../ui/use-retained-focus.ts";

/** What every page has once it is shown: all that tells without being asked, and the care for the focus. */
export default function Notifications({ router }: { router: RegisteredRouter }) {
  useRetainedFocus();
  useEffect(preloadLeadPanel, []);
  return (
    <>
      <MeetingReminder />
      <FollowUpReminder />
      <NotificationWatcher open={(to) => void router.navigate({ to })} />
      <PortalWorker
        go={(path) => router.history.push(path)}
        onNavigation={(listener) => router.subscribe("onResolved", listener)}
      />
    </>
  );
}
