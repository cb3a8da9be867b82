import { useEffect, useState } from "react";
import { useLateModule } from "../lib/use-late-module.ts";

const load = () => import("../features/calendar/meeting-reminder.tsx");

/** The reminder of meetings, on every page; its code comes after the first paint. */
export function LateReminder() {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 2_000);
    return () => clearTimeout(timer);
  }, []);
  const Reminder = useLateModule(load, isIdle)?.default;
  return Reminder ? <Reminder /> : null;
}
