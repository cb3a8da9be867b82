import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { buildTestApp } from "./testing/test-app.ts";

/** Blocks the event loop for this long. */
function hold(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

it("answers 503 only while the event loop is delayed above the limit", async () => {
  const portal = await buildTestApp({ env: { MAX_EVENT_LOOP_DELAY_MS: "30000" } });
  const status = async () => (await portal.request("GET", "/api/health")).status;
  for (let stop = 0; stop < 4; stop += 1) {
    hold(1_100);
    await turn();
    expect(await status()).toBe(200);
    await sleep(1);
  }
  await portal.close();

  const late = await buildTestApp({ env: { MAX_EVENT_LOOP_DELAY_MS: "20" } });
  let answered = 200;
  while (answered !== 503) {
    hold(100);
    await sleep(1);
    answered = (await late.request("GET", "/api/health")).status;
  }
  await late.close();
});
