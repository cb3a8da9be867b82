import MeetingReminder from "../features/calendar/meeting-reminder.tsx";
import NoticeWatch, { type NoticePage } from "../features/notices/notice-watch.tsx";

/** All that tells without being asked, on whatever page. */
export default function Notices({ open }: { open: (page: NoticePage) => void }) {
  return (
    <>
      <MeetingReminder />
      <NoticeWatch open={open} />
    </>
  );
}
