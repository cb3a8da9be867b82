import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../../scripts/lib/environment.ts";

/** Tests of `npm test` that show that a fault is survived; without a title, all tests of the file. */
interface FaultTest {
  /** A project of `vitest.config.ts`, or the tests in Chromium. */
  project: "server" | "sandbox" | "scripts" | "web" | "browser";
  /** From the root of the repository. */
  file: string;
  /** Part of the title. */
  title?: string;
}

/** A fault that the portal must survive. It can be run alone, by its number or its name. */
interface FaultCase {
  name: string;
  /** What happens, and what must hold. */
  what: string;
  tests?: FaultTest[];
  /** Names and options of benches, as typed after `npm run bench --`. */
  benches?: string[][];
}

/** Their numbers are their places, from 1. */
const faultCases: readonly FaultCase[] = [
  {
    name: "server-killed",
    what: "The server is killed (SIGKILL) while everybody writes: each acknowledged write exists once, and jobs continue.",
    benches: [["faults", "kills", "--kills", "50", "--database-kills", "0"]],
  },
  {
    name: "killed-after-provider-answered",
    what: "The server is killed between the provider's answer and its own commit: one call or text at the provider, and its row is settled within a minute.",
  },
  {
    name: "database-killed",
    what: "PostgreSQL is killed and started again: 503 with a sentence meanwhile, no exit of the server, ready within 5 s after its return, nothing lost.",
    benches: [["faults", "kills", "--kills", "0", "--database-kills", "10"]],
  },
  {
    name: "database-hangs",
    what: "PostgreSQL stops answering, one connection of it or all: requests end within 10 s with 503, /api/ready says so, and the pool recovers.",
  },
  {
    name: "pool-used-up",
    what: "Slow requests take all connections: others wait 2 s at most or get 503, and nothing waits for itself.",
  },
  {
    name: "deadlock",
    what: "Two transactions lock the same leads in opposite order: both are done, or one is refused with a conflict.",
  },
  {
    name: "told-to-end",
    what: "SIGTERM during requests and jobs: running requests are answered, new ones refused, jobs handed back, exit code 0.",
  },
  {
    name: "killed-in-migration",
    what: "The server is killed between the statements of a migration, or two start at once: the next start completes it, and one of two migrates.",
  },
  {
    name: "database-disk-full",
    what: "The database's disk is full: changes get 503 or 507, reads work, it goes on once there is space, and nothing acknowledged is lost.",
  },
  {
    name: "server-disk-full",
    what: "The server can write no file: it does not end, and whoever uploads is told.",
  },
  {
    name: "provider-hangs",
    what: "A provider accepts and stays silent at each step of a call, a text, a sync and a meeting: a message within 12 s, and the lists stay as fast.",
  },
  {
    name: "provider-refuses",
    what: "429 with Retry-After, bursts of 500, 401: waits as told, five tries at most; a refused key stops the sync with a message.",
  },
  {
    name: "provider-sends-rubbish",
    what: "HTML, half a JSON document, a wrong length, a reset connection, 100 MB: no storm of errors, memory stays flat.",
  },
  {
    name: "webhooks-repeated",
    what: "Each kind of webhook ten times, one after the other and twenty at once: one effect.",
  },
  {
    name: "webhooks-out-of-order",
    what: "All orders of a text's and of a call's four states, a change before its creation, a deletion before it: the right end each time.",
  },
  {
    name: "webhooks-during-restart",
    what: "Webhooks are sent while the server restarts, by the provider's own rule of trying again: each has its effect once.",
    benches: [["faults", "calls"]],
  },
  {
    name: "sync-interrupted",
    what: "A sync is killed, started twice, and the provider repeats a page: no duplicate, no local change lost, true counts.",
  },
  {
    name: "import-interrupted",
    what: "The server is killed in the middle of an import of 100,000 rows, which is then sent again: no duplicate, a true report, others are answered meanwhile.",
  },
  {
    name: "pressed-again",
    what: "Five presses in 50 ms, and a press after a lost answer: one call, one text, one client, one meeting.",
  },
  {
    name: "two-dialer-tabs",
    what: "The dialer in two tabs, a tab closed in a call, a laptop that slept for 20 minutes: nobody is rung twice, and the session recovers.",
  },
  {
    name: "changed-while-queued",
    what: "A lead opts out, is converted or goes to a colleague while it waits in the dialer: it is passed over.",
  },
  {
    name: "time-zones",
    what: "Zones of server and browser at changes of the clocks, leap days and the year's end: day labels, figures, follow-ups and meetings are right.",
  },
  {
    name: "clock-jumps",
    what: "The server's clock steps an hour back or forward, or the provider's differs: no session lost or immortal, leases hold, signatures keep their five minutes.",
  },
  {
    name: "slow-clients",
    what: "Clients that send or read hardly anything, and aborted downloads: others are answered as fast, memory stays flat, the provider's side is closed.",
  },
  {
    name: "soak",
    what: "An hour of people at work: memory, descriptors, connections and waiting times stay flat.",
    benches: [["faults", "soak"]],
  },
  {
    name: "big-data",
    what: "A million leads and five million calls: no request is unbounded.",
    benches: [["scale"]],
  },
  {
    name: "two-servers",
    what: "Two servers on one database: jobs run once, sessions and limits are shared.",
  },
  {
    name: "backup-and-restore",
    what: "A backup under load, restored elsewhere: counts and sums of each table are those of one moment, and it starts.",
  },
  {
    name: "failing-server",
    what: "The browser against a server that answers with 500, nothing, HTML, slowly, or is out of reach: the recorded messages, no white page, nothing typed is lost.",
  },
];

async function runNode(args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code === 0;
}

/** The words of a title, for the pattern that both runners match with. */
const pattern = (title: string) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

function runTest({ project, file, title }: FaultTest): Promise<boolean> {
  if (project === "browser") {
    const filter = title ? ["-g", pattern(title)] : [];
    return runNode([join(root, "node_modules/@playwright/test/cli.js"), "test", file, ...filter]);
  }
  const filter = title ? ["-t", pattern(title)] : [];
  return runNode([
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--project",
    project,
    file,
    ...filter,
  ]);
}

/** The case of a number or a name. */
export const findCase = (word: string): FaultCase | undefined =>
  faultCases.find(({ name }, index) => name === word || String(index + 1) === word);

/** Runs everything that shows the case of a number or a name, to its end. @returns whether all of it passed */
export async function runCase(word: string): Promise<boolean> {
  const found = findCase(word);
  if (!found) throw new Error(`There is no case ${word}`);
  process.stdout.write(`${faultCases.indexOf(found) + 1} ${found.name}: ${found.what}\n`);
  let isFine = true;
  for (const test of found.tests ?? []) isFine = (await runTest(test)) && isFine;
  for (const args of found.benches ?? [])
    isFine = (await runNode([join(root, "bench/main.ts"), ...args])) && isFine;
  return isFine;
}

/** Names and descriptions of all cases. */
export const listCases = (): string =>
  faultCases.map(({ name, what }, index) => `${String(index + 1).padStart(2)} ${name}: ${what}\n`).join("");
