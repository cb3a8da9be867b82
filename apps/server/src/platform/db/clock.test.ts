import { expect, it, vi } from "vitest";
import { createTestDatabase } from "../../testing/test-database.ts";
import { openDatabase } from "./client.ts";
import { databaseNow, followClock } from "./clock.ts";

it("follows the database's clock while the system clock is set forward and back", async () => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url, onError: () => undefined });
  const minuteMs = 60_000;
  try {
    await followClock(database.db);
    for (const hours of [1, -1]) {
      vi.useFakeTimers({ now: Date.now() + hours * 60 * minuteMs, toFake: ["Date"] });
      const { rows } = await database.pool.query(
        "select extract(epoch from clock_timestamp())::float8 * 1000 as now",
      );
      expect(Math.abs(databaseNow() - rows[0].now)).toBeLessThan(minuteMs);
      vi.useRealTimers();
    }
  } finally {
    vi.useRealTimers();
    await database.close();
    await drop();
  }
});
