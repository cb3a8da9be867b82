import { createServer, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print } from "../lib/print.ts";
import { signIn } from "./consultant.ts";

const speed = 40;
const clients = 300;
const streams = 100;
/** More than the buffers of the connections between hold. */
const recordingBytes = 50 * 1_024 * 1_024;
/** Each stream gets a chunk of 64 kB at this interval. */
const pieceMs = 125;
const attackMs = 20_000;
const askMs = 40;
const goal = { p99Ms: 200, ratio: 2, mbForStream: 1, headsGoneMs: 100_000, upstreamGoneMs: 10_000 };

/** Measures the response times of another user meanwhile, in ms. */
async function measure(
  url: string,
  cookie: string,
  ms: number,
): Promise<{ p99: number; failed: number; asked: number }> {
  const paths = ["/api/leads?limit=20", "/api/dialer", "/api/call-logs?limit=20"];
  const times: number[] = [];
  const pending: Promise<number>[] = [];
  let failed = 0;
  for (let n = 0; n < ms / askMs; n += 1) {
    const startedAt = performance.now();
    const asking = fetch(url + paths[n % paths.length], { headers: { cookie } }).then(async (answer) => {
      await answer.arrayBuffer();
      if (!answer.ok) failed += 1;
    });
    const ended = asking
      .catch(() => {
        failed += 1;
      })
      .then(() => times.push(performance.now() - startedAt));
    pending.push(ended);
    await sleep(askMs);
  }
  await Promise.all(pending);
  times.sort((a, b) => a - b);
  return { p99: Math.round(times[Math.floor(times.length * 0.99)] ?? 0), failed, asked: times.length };
}

/** A proxy of the sandbox that serves recordings itself: 50 MB each, half a megabyte per second. */
function recordingStore() {
  let open = 0;
  const piece = Buffer.alloc(64 * 1_024);
  return {
    /** Number of recordings being served. */
    open: () => open,
    async start(sandboxUrl: string) {
      const server = createServer((incoming, response) => {
        if (/\/Recordings\/RE\w+(\.(wav|mp3))?(\?|$)/.test(incoming.url ?? "")) {
          open += 1;
          response.once("close", () => {
            open -= 1;
          });
          response.writeHead(200, { "content-type": "audio/wav", "content-length": String(recordingBytes) });
          let left = recordingBytes / piece.length;
          // Steadily, like a store on the network, and not in one burst.
          const timer = setInterval(() => {
            if (response.writableNeedDrain) return;
            left -= 1;
            if (left >= 0) response.write(piece);
            else response.end();
          }, pieceMs);
          response.once("close", () => clearInterval(timer));
          return;
        }
        const passed = request(
          sandboxUrl + incoming.url,
          { method: incoming.method ?? "GET", headers: incoming.headers },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(response);
          },
        );
        passed.on("error", () => response.destroy());
        incoming.pipe(passed);
      });
      const port = await freePort();
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
      const stop = async () => {
        server.closeAllConnections();
        server.close();
      };
      return { port, stop };
    },
  };
}

interface Crowd {
  open(): number;
  end(): void;
}

/** Connections that send `head` and then a little of `more` every second, without end. */
function trickle(port: number, head: string, more: string): Crowd {
  const sockets: Socket[] = Array.from({ length: clients }, () => connect(port, "127.0.0.1"));
  for (const socket of sockets)
    socket
      .on("error", () => undefined)
      .on("connect", () => socket.write(head))
      .resume();
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(more);
  }, 1_000);
  return {
    open: () => sockets.filter(({ destroyed }) => !destroyed).length,
    end: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Clients that read a response at a kilobyte per second. */
function readSlowly(url: string, cookies: string[]): Crowd & { answered(): string } {
  const answers: { answer?: IncomingMessage; closed: boolean }[] = [];
  const asked = Array.from({ length: streams }, (_, n) => {
    const cookie = cookies[n % cookies.length] ?? "";
    const one: (typeof answers)[number] = { closed: false };
    answers.push(one);
    const asking = request(
      url,
      { headers: { cookie }, agent: false, highWaterMark: 1_024 } as object,
      (answer) => {
        one.answer = answer;
        answer
          .on("error", () => undefined)
          .on("close", () => (one.closed = true))
          .pause();
      },
    );
    asking.on("error", () => (one.closed = true)).end();
    return asking;
  });
  const timer = setInterval(() => {
    for (const { answer } of answers) answer?.read(1_024);
  }, 1_000);
  return {
    answered: () =>
      [...Map.groupBy(answers, ({ answer }) => answer?.statusCode ?? "nothing")]
        .map(([status, all]) => `${all.length} × ${status}`)
        .join(", "),
    open: () => answers.filter(({ closed }) => !closed).length,
    end: () => {
      clearInterval(timer);
      for (const asking of asked) asking.destroy();
    },
  };
}

/** Makes a call that is recorded. @returns the recording's address */
async function makeRecording(
  { url, database }: PortalOnSandbox,
  userId: number,
  cookie: string,
): Promise<string> {
  const lead = await buildLead(database, { phone: "(786) 555-0140", assignedTo: userId });
  const answer = await fetch(`${url}/api/make-call`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ leadId: lead.id }),
  });
  if (!answer.ok) throw new Error(`the call was answered ${answer.status}`);
  for (;;) {
    const { rows } = await database.pool.query<{ sid: string }>(
      "select recording_sid as sid from recordings where status = 'completed'",
    );
    if (rows[0]) return `${url}/api/twilio/recording/${rows[0].sid}`;
    await sleep(500);
  }
}

/**
 * 300 connections that never complete their headers, then 300 that never complete their body, then 100 that read a recording at a kilobyte
 * per second, then 100 aborted downloads, while another user works. @returns whether that user's responses are as fast as without, no
 * stream takes more than a megabyte, slow connections are closed in time, and so are the provider's
 */
export async function run(): Promise<boolean> {
  const store = recordingStore();
  const bench = await startPortalOnSandbox({ speed, callsPerSecond: 20, startProvider: store.start });
  const faults: string[] = [];
  try {
    const { url, portal, database } = bench;
    const port = Number(new URL(url).port);
    const rep = await buildUser(database, { phone: "+13055550101" });
    const cookie = await signIn(url, rep);
    for (let n = 0; n < 200; n += 1) await buildLead(database, { assignedTo: rep.id });
    // A user may have at most fifty open responses.
    const listeners: string[] = [];
    for (let n = 0; n < 4; n += 1)
      listeners.push(await signIn(url, await buildUser(database, { role: "admin" })));
    const recording = await makeRecording(bench, rep.id, cookie);
    await measure(url, cookie, attackMs);
    let quiet = await measure(url, cookie, attackMs);
    /** Measured again, because the load of the machine may have changed. */
    const measureAlone = async () => {
      quiet = await measure(url, cookie, attackMs);
      print(`alone                 p99 ${quiet.p99} ms, ${portal.memoryMb().toFixed(0)} MB`);
    };
    await measureAlone();
    const judge = async (name: string, crowd: Crowd) => {
      const before = portal.memoryMb();
      const { p99, failed, asked } = await measure(url, cookie, attackMs);
      const grown = portal.memoryMb() - before;
      const limit = Math.max(goal.p99Ms, quiet.p99 * goal.ratio);
      print(
        `${name.padEnd(22)}p99 ${p99} ms (${(p99 / quiet.p99).toFixed(1)} ×), failed ${failed} of ${asked}, memory +${grown.toFixed(0)} MB, open ${crowd.open()}`,
      );
      if (p99 > limit)
        faults.push(`${name}: others waited ${p99} ms at the 99th percentile, more than ${limit} ms`);
      if (failed > 0) faults.push(`${name}: ${failed} requests of others failed`);
      return grown;
    };
    const untilClosed = async (name: string, crowd: Crowd, since: number) => {
      while (crowd.open() > 0 && performance.now() - since < goal.headsGoneMs) await sleep(250);
      const ms = performance.now() - since;
      print(`${"".padEnd(22)}ended by the server after ${(ms / 1_000).toFixed(0)} s, open ${crowd.open()}`);
      if (crowd.open() > 0)
        faults.push(`${name}: ${crowd.open()} connections were open after ${goal.headsGoneMs / 1_000} s`);
      crowd.end();
    };

    let since = performance.now();
    const heads = trickle(port, "GET /api/leads HTTP/1.1\r\nHost: portal\r\n", "X-More: 1\r\n");
    await judge("heads without an end", heads);
    const headsSince = since;
    since = performance.now();
    const bodies = trickle(
      port,
      "POST /api/login/local HTTP/1.1\r\nHost: portal\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
      " ",
    );
    await judge("bodies without an end", bodies);
    await untilClosed("heads without an end", heads, headsSince);
    await untilClosed("bodies without an end", bodies, since);

    await measureAlone();
    since = performance.now();
    const readers = readSlowly(recording, listeners);
    // The connections between buffer about 10 MB each before anything waits: a gigabyte in all.
    const filling = await measure(url, cookie, attackMs);
    print(`slow readers, filling p99 ${filling.p99} ms, failed ${filling.failed} of ${filling.asked}`);
    if (filling.failed > 0) faults.push(`slow readers: ${filling.failed} requests of others failed`);
    const grown = await judge("slow readers", readers);
    print(
      `${"".padEnd(22)}answered ${readers.answered()}, ${(grown / streams).toFixed(2)} MB each, to the provider ${store.open()}`,
    );
    if (readers.answered() !== `${streams} × 200`)
      faults.push(`slow readers: answered ${readers.answered()}`);
    if (grown / streams > goal.mbForStream)
      faults.push(`slow readers: ${(grown / streams).toFixed(2)} MB each`);
    readers.end();
    const closed = async (name: string) => {
      const endedAt = performance.now();
      while (store.open() > 0 && performance.now() - endedAt < goal.upstreamGoneMs) await sleep(50);
      const left = store.open();
      print(`${"".padEnd(22)}to the provider ${left} after ${Math.round(performance.now() - endedAt)} ms`);
      if (left > 0) faults.push(`${name}: ${left} connections to the provider were left open`);
    };
    await closed("slow readers");

    await measureAlone();
    const aborted: Crowd = { open: () => store.open(), end: () => undefined };
    const over = new AbortController();
    const aborting = (async () => {
      while (!over.signal.aborted) {
        const given = readSlowly(recording, listeners);
        await sleep(500);
        given.end();
      }
    })();
    await judge("downloads given up", aborted);
    over.abort();
    await aborting;
    await closed("downloads given up");
    if (!portal.isRunning()) faults.push("the server ended");
    print(`faults ${faults.length}`);
    for (const fault of faults) print(`  ${fault}`);
    return faults.length === 0;
  } finally {
    await bench.stop();
  }
}
