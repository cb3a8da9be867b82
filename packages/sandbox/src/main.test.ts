import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SYSTEM_NUMBER } from "./defaults.ts";
import { clickToCall, startReceiver } from "./testing/receiver.ts";
import { askControl } from "./testing/temporary-sandbox.ts";
import { twilioClient } from "./testing/vendor-clients.ts";
import { waitFor } from "./testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const LEAD = "+17865550124";

let dataDir: string;
let port: number;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sandbox test "));
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  port = (probe.address() as AddressInfo).port;
  probe.close();
  await once(probe, "close");
});

afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs the sandbox like the start script, until it listens or exits. */
async function run(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SANDBOX_PORT: String(port),
      DATA_DIR: dataDir,
      SANDBOX_SPEED: "20",
      ...env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  running.add(child);
  const exited = once(child, "exit").then(([code, signal]) => code ?? signal);
  const output = { text: "" };
  child.stdout?.on("data", (chunk) => {
    output.text += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output.text += chunk;
  });
  await waitFor("the sandbox", () => output.text.includes("\n"));
  return { child, exited, output, url: `http://127.0.0.1:${port}` };
}

describe("the sandbox process", () => {
  test("prints one line when it listens and exits cleanly on SIGTERM", async () => {
    const { child, exited, output, url } = await run();
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok" });
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    expect(output.text).toBe(`sandbox listening on ${url}\n`);
  });

  test("exits when the script that holds its stdin ends", async () => {
    const { child, exited } = await run({ START_PARENT_PIPE: "1" });
    child.stdin?.destroy();
    expect(await exited).toBe(0);
  });

  test("reports that its port is in use", async () => {
    await run();
    const second = await run({ DATA_DIR: join(dataDir, "other") });
    expect(await second.exited).toBe(1);
    expect(second.output.text).toBe(`sandbox: port ${port} is taken\n`);
  });

  test("reports that its state folder is in use", async () => {
    await run();
    const second = await run({ SANDBOX_PORT: "0" });
    expect(await second.exited).toBe(1);
    expect(second.output.text).toContain("is in use by another sandbox");
  });
});

describe("after kill -9 during a call", () => {
  test("completes the call and delivers every callback", async () => {
    const receiver = await startReceiver(clickToCall(LEAD));
    try {
      const first = await run();
      const { sid } = await twilioClient(first.url).calls.create({
        to: "+13055550101",
        from: SYSTEM_NUMBER,
        url: `${receiver.url}/answer`,
        statusCallback: `${receiver.url}/parent`,
        statusCallbackEvent: ["initiated", "ringing", "answered", "completed"],
      });
      await waitFor("the lead's answer", () =>
        receiver.at("/leg").some(({ params }) => params.CallStatus === "in-progress"),
      );
      first.child.kill("SIGKILL");
      expect(await first.exited).toBe("SIGKILL");
      const second = await run();
      expect(await twilioClient(second.url).calls(sid).fetch()).toMatchObject({ sid, to: "+13055550101" });
      const done = await waitFor("the action", () => receiver.at("/done")[0]);
      expect(done.params).toMatchObject({ DialCallStatus: "completed", DialBridged: "true" });
      expect(Number(done.params.DialCallDuration)).toBeGreaterThanOrEqual(24);
      const end = await waitFor("the end", () =>
        receiver.at("/parent").find(({ params }) => params.CallStatus === "completed"),
      );
      expect(end.params.SequenceNumber).toBe("3");
      expect(receiver.received.every((webhook) => webhook.valid)).toBe(true);
    } finally {
      await receiver.close();
    }
  });

  test("repeats a pending TwiML request with the same token", async () => {
    let answers = false;
    const receiver = await startReceiver(({ path }) =>
      path === "/answer" && !answers ? null : "<Response/>",
    );
    try {
      const first = await run();
      const { sid } = await twilioClient(first.url).calls.create({
        to: "+13055550101",
        from: SYSTEM_NUMBER,
        url: `${receiver.url}/answer`,
      });
      await waitFor("the request", () => receiver.at("/answer")[0]);
      first.child.kill("SIGKILL");
      await first.exited;
      answers = true;
      const { url } = await run();
      await waitFor(
        "the end",
        async () => (await twilioClient(url).calls(sid).fetch()).status === "completed",
      );
      const tokens = receiver.at("/answer").map((webhook) => webhook.token);
      expect(tokens).toHaveLength(2);
      expect(tokens[0]).toBe(tokens[1]);
    } finally {
      await receiver.close();
    }
  });

  test("restores contacts and phones", async () => {
    const first = await run();
    const phone = { number: LEAD, mode: "manual", label: "Mine" };
    await askControl(first.url, "POST", "/phones", phone);
    const made = await askControl(first.url, "POST", "/ghl/contacts", { firstName: "Eva", phone: LEAD });
    const before = await askControl(first.url, "GET", "/ghl/contacts");
    first.child.kill("SIGKILL");
    await first.exited;
    const { url } = await run();
    const after = await askControl(url, "GET", "/ghl/contacts");
    expect(after.total).toBe(127);
    expect(after.contacts.at(-1)).toEqual(made);
    expect(after).toEqual(before);
    expect((await askControl(url, "GET", "/phones")).phones).toContainEqual(expect.objectContaining(phone));
  });
});
