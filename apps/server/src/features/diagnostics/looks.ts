const windowMs = 60_000;

/** Counts what each user asked for in a minute, in this process. Answers the seconds to wait where it is too much, else 0. */
export function createLooks({ perMinute, now = Date.now }: { perMinute: number; now?: () => number }) {
  const users = new Map<number, { count: number; endsAt: number }>();
  return (userId: number): number => {
    for (const [id, { endsAt }] of users) if (endsAt <= now()) users.delete(id);
    const entry = users.get(userId) ?? { count: 0, endsAt: now() + windowMs };
    users.set(userId, entry);
    entry.count += 1;
    return entry.count > perMinute ? Math.ceil((entry.endsAt - now()) / 1_000) : 0;
  };
}
