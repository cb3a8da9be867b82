import { useEffect, useState } from "react";
import type { NoticePage } from "../features/notices/notice-watch.tsx";
import { useLateModule } from "../lib/use-late-module.ts";

const load = () => import("./notices.tsx");

/** Reminders of meetings, texts and missed calls, on every page; their code comes after the first paint. */
export function LateNotices({ open }: { open: (page: NoticePage) => void }) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 2_000);
    return () => clearTimeout(timer);
  }, []);
  const Notices = useLateModule(load, isIdle)?.default;
  return Notices ? <Notices open={open} /> : null;
}
