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

/** Preloads the forms for leads and calls, so that they work offline. */
const preloadForms = [
  preloadLeadPanel,
  preloadLeadDialogs,
  preloadCallDialog,
  preloadSelect,
  preloadCalendar,
];

/** Parts of every page that load after its content: reminders, notifications, and the handling of the focus. */
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
