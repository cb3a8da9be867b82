import { join } from "node:path";
import { expect, it } from "vitest";
import { killHard, runScript } from "../testing/run-script.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { acquireLock } from "./lock.ts";

const address = "http://localhost:7201";

it("reports to a second start who holds the data folder, until it is released", () => {
  const dataDir = makeTemporaryFolder();
  const lock = acquireLock({ dataDir, address });
  expect(() => acquireLock({ dataDir, address: "http://localhost:7202" })).toThrow(
    `${dataDir} is in use by process ${process.pid}, which serves ${address}.`,
  );
  lock.release();
  const next = acquireLock({ dataDir, address });
  expect(next.previous).toBeNull();
  next.release();
});

it("lets the next start proceed after kill -9, and reports the processes of the killed one", async () => {
  const dataDir = makeTemporaryFolder();
  const { child, said } = await runScript<number>(`
    import { acquireLock } from ${JSON.stringify(join(import.meta.dirname, "lock.ts"))};
    const lock = acquireLock(${JSON.stringify({ dataDir, address })});
    lock.record([11, 12]);
    console.log(process.pid);
    setInterval(() => lock, 1000);
  `);
  expect(() => acquireLock({ dataDir, address })).toThrow(`in use by process ${said}`);
  await killHard(child);
  const lock = acquireLock({ dataDir, address });
  expect(lock.previous).toEqual({ pid: said, address, parts: [11, 12] });
  lock.release();
});

it("explains why a data folder cannot be used", () => {
  expect(() => acquireLock({ dataDir: "/dev/null/data", address })).toThrow(
    "The data folder /dev/null/data cannot be used",
  );
});
