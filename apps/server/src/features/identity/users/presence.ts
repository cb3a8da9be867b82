import type { Db } from "../../../platform/db/client.ts";
import type { Scheduler } from "../../../platform/jobs/scheduler.ts";
import { updateSeenAt } from "./repository.ts";

/** Notes who is there, beside the requests and streams that tell; each person at most once a minute. */
export interface Presence {
  /** They did something. */
  acted(userId: number): void;
  /** Browsers of theirs listen. */
  listened(userIds: number[]): void;
}

const everyMs = 60_000;

/** Presence as one process hears of it; all processes write the same rows. */
export function createPresence({ db, scheduler }: { db: Db; scheduler: Scheduler }): Presence {
  const writer = (column: "last_active_at" | "last_seen_at") => {
    const written = new Map<number, number>();
    return (userIds: number[]) => {
      const now = performance.now();
      const due = userIds.filter((id) => now - (written.get(id) ?? Number.NEGATIVE_INFINITY) >= everyMs);
      if (due.length === 0) return;
      for (const id of due) written.set(id, now);
      scheduler.once(async () => {
        try {
          await updateSeenAt(db, column, due);
        } catch (error) {
          // The next sign of theirs tries again.
          for (const id of due) written.delete(id);
          throw error;
        }
      });
    };
  };
  const active = writer("last_active_at");
  return { acted: (userId) => active([userId]), listened: writer("last_seen_at") };
}
