import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { buildLead } from "./testing/factories.ts";
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

it("compresses larger answers and tables as the client accepts it", async () => {
  const portal = await buildTestApp();
  const { cookie, user } = await portal.signIn();
  for (const name of ["Ámber", "Bruno"])
    await buildLead(portal.deps.database, { name, notes: "Call at noon. ".repeat(100), assignedTo: user.id });
  const read = async (url: string, accepted: string) => {
    const { headers, rawPayload } = await portal.app.inject({
      url,
      headers: { cookie, "accept-encoding": accepted },
    });
    return { encoding: headers["content-encoding"], vary: headers.vary, body: rawPayload };
  };
  const plain = await read("/api/leads", "identity");
  expect(plain.encoding).toBeUndefined();
  expect(plain.body.length).toBeGreaterThan(2_048);

  const asBrowser = await read("/api/leads", "gzip, deflate, br, zstd");
  expect([asBrowser.encoding, asBrowser.vary]).toEqual(["zstd", "accept-encoding"]);
  expect(zstdDecompressSync(asBrowser.body)).toEqual(plain.body);
  expect(asBrowser.body.length).toBeLessThan(plain.body.length / 3);
  const older = await read("/api/leads", "gzip, deflate");
  expect([older.encoding, gunzipSync(older.body)]).toEqual(["gzip", plain.body]);

  expect((await read("/api/current-user", "zstd")).encoding).toBeUndefined();
  const table = await read("/api/leads/export?format=csv", "zstd");
  const plainTable = await read("/api/leads/export?format=csv", "identity");
  expect(zstdDecompressSync(table.body)).toEqual(plainTable.body);
  await portal.close();
});
