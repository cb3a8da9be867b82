import { useQueryClient } from "@tanstack/react-query";
import type { RegisteredRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useLateModule } from "../lib/use-late-module.ts";

const load = () => import("./notices.tsx");

const lookMs = 2_000;
/** After so many looks they come whatever the page still waits for. */
const mostLooks = 5;

/** Reminders of meetings, texts and missed calls, on every page; their code comes once the page has its content. */
export function LateNotices({ router }: { router: RegisteredRouter }) {
  const [isIdle, setIdle] = useState(false);
  const client = useQueryClient();
  useEffect(() => {
    let looks = 0;
    const looking = setInterval(() => {
      looks += 1;
      const isBusy = router.state.status === "pending" || client.isFetching() > 0;
      if (isBusy && looks < mostLooks) return;
      clearInterval(looking);
      setIdle(true);
    }, lookMs);
    return () => clearInterval(looking);
  }, [router, client]);
  const Notices = useLateModule(load, isIdle)?.default;
  return Notices ? <Notices open={(to) => void router.navigate({ to })} /> : null;
}
