import { useEffect } from "react";
import FollowUpReminder from "../features/leads/follow-up-reminder.tsx";
import MeetingReminder from "../features/meetings/meeting-reminder.tsx";
import NotificationWatcher, { type NoticePage } from "../features/notifications/notification-watcher.tsx";
import { preloadLeadPanel } from "../lib/lead-panel.ts";
import { useRetainedFocus } from "../ui/use-retained-focus.ts";

/** What every page has once it is shown: all that tells without being asked, and the care for the focus. */
export default function Notifications({ open }: { open: (page: NoticePage) => void }) {
  useRetainedFocus();
  useEffect(preloadLeadPanel, []);
  return (
    <>
      <MeetingReminder />
      <FollowUpReminder />
      <NotificationWatcher open={open} />
    </>
  );
}
