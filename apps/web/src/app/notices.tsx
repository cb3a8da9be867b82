import MeetingReminder from "../features/calendar/meeting-reminder.tsx";
import NoticeWatch, { type NoticePage } from "../features/notices/notice-watch.tsx";
import { useKeptFocus } from "../ui/use-kept-focus.ts";

/** What every page has once it is shown: all that tells without being asked, and the care for the focus. */
export default function Notices({ open }: { open: (page: NoticePage) => void }) {
  useKeptFocus();
  return (
    <>
      <MeetingReminder />
      <NoticeWatch open={open} />
    </>
  );
}
