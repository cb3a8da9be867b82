import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { killHard, runScript } from "../testing/run-script.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { supervise } from "./part.ts";

const isAlive = (pid: number): boolean => {
  try {
    return Boolean(process.kill(pid, 0));
  } catch {
    return false;
  }
};

const writePart = (source: string): string => {
  const file = join(makeTemporaryFolder(), "part.mjs");
  writeFileSync(file, source);
  return file;
};

const untilStdinEnds = 'process.stdin.resume().on("end", () => process.exit());';

/** A server that responds in place of the part. */
const answerProbes = async (): Promise<string> => {
  const server = createServer((_, reply) => reply.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
};

const keep = (source: string, probe: string) => {
  const pids: number[] = [];
  const gaveUp = vi.fn();
  const started = (pid: number) => pids.push(pid);
  const part = supervise({
    name: "The part",
    args: [writePart(source)],
    env: () => ({}),
    probe,
    started,
    gaveUp,
  });
  onTestFinished(() => part.stop());
  return { part, pids, gaveUp };
};

it("restarts a killed process, and stops it for good on request", async () => {
  const { part, pids, gaveUp } = keep(untilStdinEnds, await answerProbes());
  await part.up();
  process.kill(pids[0] ?? 0, "SIGKILL");
  await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 45_000 });
  await part.stop();
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(gaveUp).not.toHaveBeenCalled();
});

it("restarts a process that had served at once, however often it is killed, and one that never served after increasing pauses", async () => {
  const lines: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  const { part, pids } = keep(untilStdinEnds, await answerProbes());
  for (let life = 1; life <= 6; life += 1) {
    await vi.waitFor(() => expect(pids).toHaveLength(life), { timeout: 45_000 });
    await part.up();
    process.kill(pids.at(-1) ?? 0, "SIGKILL");
  }
  await vi.waitFor(() => expect(pids).toHaveLength(7), { timeout: 45_000 });
  await part.stop();
  expect(lines).toEqual(Array(6).fill("The part was ended (SIGKILL); starting it again.\n"));

  lines.length = 0;
  const failing = keep("process.kill(process.pid, 'SIGKILL');", "http://127.0.0.1:1/");
  await vi.waitFor(() => expect(failing.pids.length).toBeGreaterThan(3), { timeout: 45_000 });
  expect(lines.slice(0, 3)).toEqual(
    ["", " in 0.25 s", " in 0.5 s"].map(
      (when) => `The part was ended (SIGKILL); starting it again${when}.\n`,
    ),
  );
});

it("gives up on a process that reports an unusable environment, and on one that fails before it ever responded", async () => {
  const nobody = "http://127.0.0.1:1/";
  const unusable = keep("process.exit(78);", nobody);
  await vi.waitFor(() => expect(unusable.gaveUp).toHaveBeenCalledWith(""), { timeout: 45_000 });
  const failing = keep("process.exit(3);", nobody);
  await vi.waitFor(
    () =>
      expect(failing.gaveUp).toHaveBeenCalledWith("The part ended before it could serve (exit code 3).\n"),
    { timeout: 45_000 },
  );
});

it("ends its processes when it is killed itself", async () => {
  const { child, said } = await runScript<number>(`
    import { supervise } from ${JSON.stringify(join(import.meta.dirname, "part.ts"))};
    supervise({
      name: "The part", args: [${JSON.stringify(writePart(untilStdinEnds))}], env: () => ({}),
      probe: "http://127.0.0.1:1/", started: (pid) => console.log(pid), gaveUp: () => {},
    });
  `);
  expect(isAlive(said)).toBe(true);
  await killHard(child);
  await vi.waitFor(() => expect(isAlive(said)).toBe(false), { timeout: 45_000 });
});
