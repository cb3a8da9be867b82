import { lazy, Suspense, useEffect, useState } from "react";

const MeetingReminder = lazy(() => import("../features/calendar/meeting-reminder.tsx"));

/** The reminder of meetings, on every page; its code comes after the first paint. */
export function LateReminder() {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 2_000);
    return () => clearTimeout(timer);
  }, []);
  return isIdle ? (
    <Suspense>
      <MeetingReminder />
    </Suspense>
  ) : null;
}
