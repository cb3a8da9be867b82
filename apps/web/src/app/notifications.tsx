import type { RegisteredRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { preloadLeadDialogs } from "../features/leads/components/open-lead-dialogs.tsx";
import FollowUpReminder from "../features/leads/follow-up-reminder.tsx";
import MeetingReminder from "../features/meetings/meeting-reminder.tsx";
import NotificationWatcher from "../features/notifications/notification-watcher.tsx";
import PortalWorkerLink from "../features/notifications/portal-worker-link.tsx";
import { preloadCallDialog } from "../features/telephony/call/call-provider.tsx";
import { preloadLeadPanel } from "../lib/lead-panel.ts";
import { preloadCalendar } from "../ui/follow-up-picker.tsx";
import { preloadSelect } from "../ui/select.tsx";
import { useRetainedFocus } from "../ui/use-retained-focus.ts";

/** What one says of a lead or a call can be said without a network too: the forms for it are there by then. */
const preloadForms = [
  preloadLeadPanel,
  preloadLeadDialogs,
  preloadCallDialog,
  preloadSelect,
  preloadCalendar,
];

/** What every page has once it is shown: reminders, notifications, and the care for the focus. */
export default function Notifications({ router }: { router: RegisteredRouter }) {
  useRetainedFocus();
  useEffect(() => {
    for (const preload of preloadForms) preload();
  }, []);
  return (
    <>
      <MeetingReminder />
      <FollowUpReminder />
      <NotificationWatcher open={(to) => void router.navigate({ to })} />
      <PortalWorkerLink
        go={(path) => router.history.push(path)}
        onNavigation={(listener) => router.subscribe("onResolved", listener)}
      />
    </>
  );
}
