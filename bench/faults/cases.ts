/** Tests of `npm test` that show that the portal survives a fault; without a title, all tests of the file. */
export interface FaultTest {
  /** A project of `vitest.config.ts`, or the tests in Chromium. */
  project: "server" | "sandbox" | "scripts" | "web" | "browser";
  /** From the root of the repository. */
  file: string;
  /** Part of the title without placeholders (%s), as the runners match titles that are filled in. */
  title?: string;
}

const server = (file: string, title = ""): FaultTest => ({
  project: "server",
  file: `apps/server/src/${file}`,
  title,
});
const browser = (file: string, title = ""): FaultTest => ({ project: "browser", file, title });

/** A fault that the portal must survive. It can be run alone, by its number or its name. */
export interface FaultCase {
  name: string;
  /** The fault, and what must still hold. */
  what: string;
  tests?: FaultTest[];
  /** Zones of server or browser in which the tests run, one after the other. */
  zones?: readonly string[];
  /** Benches with their options, as typed after `npm run bench --`. */
  benches?: string[][];
  /** What neither tests nor benches show, on a portal in a process of its own. Returns the faults found, as sentences. */
  run?: () => Promise<string[]>;
}

/** The number of a case is its position, counted from 1. */
export const faultCases: readonly FaultCase[] = [
  {
    name: "server-killed",
    what: "The server is killed (SIGKILL) while everybody writes: each acknowledged write exists once, and jobs continue.",
    benches: [["faults", "kills", "--kills", "50", "--database-kills", "0"]],
  },
  {
    name: "killed-after-provider-answered",
    what: "The server is killed between the provider's answer and its own commit: one call or text at the provider, and its row is settled within a minute.",
    run: async () => (await import("./processes.ts")).killedAfterAnswer(),
  },
  {
    name: "database-killed",
    what: "PostgreSQL is killed and started again: 503 with a sentence meanwhile, no exit of the server, ready within 5 s after its return, nothing lost.",
    benches: [["faults", "kills", "--kills", "0", "--database-kills", "10"]],
  },
  {
    name: "database-hangs",
    what: "PostgreSQL stops answering, one connection of it or all: requests end within 10 s with 503, /api/ready says so, and the pool recovers.",
    run: async () => (await import("./database.ts")).databaseHangs(),
  },
  {
    name: "pool-used-up",
    what: "Slow requests take all connections: others wait 2 s at most or get 503, and nothing waits for itself.",
    run: async () => (await import("./database.ts")).poolUsedUp(),
  },
  {
    name: "deadlock",
    what: "Two transactions lock the same leads in opposite order: both are done, or one is refused with a conflict.",
    run: async () => (await import("./database.ts")).deadlock(),
  },
  {
    name: "shutdown-signal",
    what: "SIGTERM during requests and jobs: running requests are answered, new ones refused, jobs handed back, exit code 0.",
    tests: [
      {
        project: "server",
        file: "apps/server/src/main.test.ts",
        title: "completes a running request at SIGTERM",
      },
      {
        project: "server",
        file: "apps/server/src/main.test.ts",
        title: "exits with code 0 on SIGTERM, with open event streams",
      },
    ],
    benches: [["faults", "kills", "--kills", "0", "--database-kills", "0", "--ends", "20"]],
  },
  {
    name: "killed-in-migration",
    what: "The server is killed between the statements of a migration, or two start at once: the next start completes it, and one of two migrates.",
    run: async () => (await import("./processes.ts")).killedInMigration(),
  },
  {
    name: "database-disk-full",
    what: "The database's disk is full: changes get 503 or 507, reads work, it goes on once there is space, and nothing acknowledged is lost.",
    run: async () => (await import("./disks.ts")).databaseDiskFull(),
  },
  {
    name: "server-disk-full",
    what: "The server can write no file: it keeps running, and an upload gets an error message.",
    run: async () => (await import("./disks.ts")).serverDiskFull(),
  },
  {
    name: "provider-hangs",
    what: "A provider accepts and stays silent at each step of a call, a text, a sync and a meeting: a message within 12 s, and the lists stay as fast.",
    run: async () => (await import("./providers.ts")).providerHangs(),
  },
  {
    name: "provider-refuses",
    what: "429 with Retry-After, bursts of 500, 401: waits as requested, five tries at most; a refused key stops the sync with a message.",
    tests: [
      {
        project: "server",
        file: "apps/server/src/adapters/gohighlevel/crm.test.ts",
        title: "waits as long as a 429 says, and makes all processes wait",
      },
      {
        project: "server",
        file: "apps/server/src/adapters/gohighlevel/crm.test.ts",
        title: "does not wait until tomorrow when the daily limit is used up",
      },
      {
        project: "server",
        file: "apps/server/src/adapters/gohighlevel/crm.test.ts",
        title: "and sends",
      },
      {
        project: "server",
        file: "apps/server/src/adapters/gohighlevel/crm.test.ts",
        title: "sends a write once, whatever the response",
      },
      {
        project: "server",
        file: "apps/server/src/adapters/resilience.test.ts",
        title: "a read request",
      },
      {
        project: "server",
        file: "apps/server/src/adapters/twilio/telephony.test.ts",
        title: "retries after a pause a request that was never processed, and no other",
      },
      {
        project: "server",
        file: "apps/server/src/features/crm/runs.test.ts",
        title: "stop at a rejected key with a message, without a loop",
      },
      {
        project: "server",
        file: "apps/server/src/features/crm/runs.test.ts",
        title: "recover from a 429, a 500, an HTML page and half a response",
      },
    ],
  },
  {
    name: "provider-sends-rubbish",
    what: "HTML, half a JSON document, a wrong length, a reset connection, 100 MB: no storm of errors, memory stays flat.",
    tests: [
      {
        project: "server",
        file: "apps/server/src/adapters/gohighlevel/crm.test.ts",
        title: "as unavailable",
      },
      {
        project: "server",
        file: "apps/server/src/adapters/gohighlevel/crm.test.ts",
        title: "stops reading a response above 10 MB before it is complete",
      },
      {
        project: "server",
        file: "apps/server/src/adapters/gohighlevel/crm.test.ts",
        title: "times out when the vendor sends nothing or only a trickle",
      },
      {
        project: "server",
        file: "apps/server/src/adapters/twilio/telephony.test.ts",
        title: "to its kind",
      },
      {
        project: "server",
        file: "apps/server/src/features/telephony/outbound/faults.test.ts",
        title: "finds the call of a provider that acted",
      },
      {
        project: "server",
        file: "apps/server/src/features/sms/faults.test.ts",
        title: "sends once and finds the SMS again",
      },
      {
        project: "server",
        file: "apps/server/src/features/telephony/recordings/recordings.test.ts",
        title: "reports what happened when the provider fails",
      },
    ],
  },
  {
    name: "webhooks-repeated",
    what: "Each kind of webhook ten times, one after the other and twenty at once: one effect.",
    tests: [
      server(
        "features/telephony/inbound/inbound.test.ts",
        "are answered the same when repeated, and one call is stored",
      ),
      server(
        "features/telephony/outbound/machine.test.ts",
        "ends in the same state whatever the order and repetition",
      ),
      server("features/sms/webhooks.test.ts", "is stored once for repeated and concurrent deliveries"),
      server("features/crm/webhooks.test.ts", "creates a lead once for repeated and concurrent deliveries"),
    ],
    benches: [["faults", "webhooks"]],
  },
  {
    name: "webhooks-out-of-order",
    what: "All orders of a text's and of a call's four states, a change before its creation, a deletion before it: the right end each time.",
    tests: [
      server("features/sms/webhooks.test.ts", "end in the same state in all 24 orders of four states"),
      server(
        "features/telephony/outbound/webhooks.test.ts",
        "end in the same state in all 24 orders of a talk's four events",
      ),
      server("features/telephony/inbound/machine.test.ts", "end in the same state in any order"),
      server("features/crm/webhooks.test.ts", "triggers a read from the CRM"),
      server(
        "features/crm/webhooks.test.ts",
        "marks the lead of a deleted contact, even when create and update events arrive after it",
      ),
      server("features/lead-webhooks/lead-webhooks.test.ts", "with ids only waits"),
      server("features/lead-webhooks/lead-webhooks.test.ts", "that names a known contact by its id"),
      server("features/lead-webhooks/lead-webhooks.test.ts", "that is late undoes nothing newer"),
    ],
  },
  {
    name: "webhooks-during-restart",
    what: "Webhooks are sent while the server restarts, by the provider's own rule of trying again: each has its effect once.",
    benches: [
      ["faults", "calls"],
      ["faults", "kills", "--kills", "10", "--database-kills", "0"],
    ],
  },
  {
    name: "sync-interrupted",
    what: "A sync is killed, started twice, and the provider repeats a page: no duplicate, no local change lost, true counts.",
    tests: [
      server("features/crm/killed.test.ts"),
      server("features/crm/runs.test.ts", "join a repeated request, and create no duplicate lead"),
      server("features/crm/runs.test.ts", "write nothing after another worker took them over"),
      server("features/crm/both-ways.test.ts", "keeps the portal's value until it is pushed"),
    ],
    benches: [["faults", "sync"]],
  },
  {
    name: "import-interrupted",
    what: "The server is killed in the middle of an import of 100,000 rows, which is then sent again: no duplicate, a true report, and other requests work meanwhile.",
    tests: [
      server(
        "features/imports/imports.test.ts",
        "creates each lead once for concurrent imports of the same file",
      ),
    ],
    benches: [["faults", "import-killed"]],
  },
  {
    name: "pressed-again",
    what: "Five presses in 50 ms, and a press after a lost response: one call, one text, one client, one meeting.",
    tests: [
      browser("bench/faults/pressed-again.spec.ts", "five presses in 50 ms"),
      browser("bench/faults/pressed-again.spec.ts", "a lost response after the server acted"),
      server("features/sms/sms.test.ts", "sending an SMS once"),
      server("features/telephony/outbound/calls.test.ts", "a single live call"),
      browser("e2e/calls.spec.ts", "a double click and a click in a second tab start one call"),
    ],
  },
  {
    name: "two-dialer-tabs",
    what: "The dialer in two tabs, a tab closed in a call, a laptop that slept for 20 minutes: nobody is rung twice, and the session recovers.",
    tests: [
      browser("bench/faults/pressed-again.spec.ts", "two contexts start the dialer"),
      server("features/dialer/dialer.test.ts", "is shared by two tabs, two starts and another browser"),
      server("features/dialer/dialer.test.ts", "when no browser is connected"),
      browser("e2e/dialer.spec.ts", "a page reloaded during a session calls nobody"),
    ],
  },
  {
    name: "changed-while-queued",
    what: "A lead opts out, is converted or is reassigned while it waits in the dialer: it is skipped.",
    tests: [
      server("features/dialer/dialer.test.ts", "is checked at the moment of dialing"),
      server("features/dialer/line/line-requests.test.ts", "is checked by the contact policy"),
      server("features/crm/read-before-contact.test.ts", "is skipped by the auto-dialer"),
      browser("e2e/dialer.spec.ts", "skips a lead who opted out meanwhile"),
    ],
  },
  {
    name: "time-zones",
    what: "Zones of server and browser at changes of the clocks, leap days and the year's end: day labels, figures, follow-ups and meetings are right.",
    zones: ["UTC", "America/Puerto_Rico", "America/New_York", "Europe/Madrid", "America/Mexico_City"],
    tests: [
      ...["contact-window", "today", "reachability", "free-slots", "next-try"].map((name) =>
        server(`domain/${name}.test.ts`),
      ),
      server("features/admin/stats.test.ts", "every metric matches the rows"),
      server("features/telephony/outcomes/history.test.ts", "organization's"),
      server("features/metrics/reports.test.ts", "midnight"),
      server("features/meetings/meetings.test.ts"),
      server("features/clients/clients.test.ts", "clients are counted by the organization's month"),
      ...[
        "lib/follow-up",
        "lib/format",
        "ui/follow-up-presets",
        "features/meetings/meeting-values",
        "features/meetings/meeting-draft",
        "features/sms/thread",
      ].map((file): FaultTest => ({ project: "web", file: `apps/web/src/${file}.test.ts` })),
    ],
    run: async () => (await import("./time-zones.ts")).timeZones(),
  },
  {
    name: "clock-jumps",
    what: "The server's clock steps an hour back or forward, or the provider's differs: no session lost or immortal, leases hold, signatures keep their five minutes.",
    tests: [
      server("platform/db/clock.test.ts"),
      server("adapters/resilience.test.ts", "does not stay open longer when the system clock is set back"),
      server("features/lead-webhooks/check-signature.test.ts"),
      server("features/crm/webhooks.test.ts", "is rejected and not stored"),
    ],
    benches: [["faults", "clocks"]],
  },
  {
    name: "slow-clients",
    what: "Clients that send or read very slowly, and aborted downloads: other requests are as fast, memory stays flat, the provider's side is closed.",
    tests: [server("platform/http/reading-pace.test.ts")],
    benches: [["faults", "slow"]],
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
    tests: [
      server("features/telephony/outbound/two-servers.test.ts"),
      server("features/telephony/outbound/faults.test.ts", "on the same database"),
      server("features/telephony/outbound/faults.test.ts", "makes one call for clicks on two servers"),
      server("features/sms/faults.test.ts", "send one SMS for two requests and share the events"),
      server(
        "features/sms/scheduled/scheduled-sms.test.ts",
        "two processes send fifty scheduled SMS due at the same time",
      ),
      server("features/crm/runs.test.ts", "are shared by two server processes"),
      server("features/crm/nightly.test.ts", "by one of two processes"),
      server("features/crm/both-ways.test.ts", "is shared by two processes"),
      server(
        "features/identity/users/users.test.ts",
        "are listed with their location, and end at once in every process",
      ),
      server("features/identity/auth/known-devices.test.ts", "over several processes"),
      server("platform/realtime/stream.test.ts", "also in another process"),
    ],
  },
  {
    name: "backup-and-restore",
    what: "A backup under load, restored elsewhere: counts and sums of each table are those of one moment, and it starts.",
    tests: [server("platform/db/backup/backup.test.ts")],
    benches: [["faults", "backup"]],
  },
  {
    name: "failing-server",
    what: "The browser against a server that answers with 500, nothing, HTML, slowly, or is out of reach: the recorded messages, no white page, nothing typed is lost.",
    tests: [
      browser("bench/faults/failing-server.spec.ts"),
      { project: "web", file: "apps/web/src/lib/api.test.ts" },
    ],
  },
  {
    name: "slow-disk",
    what: "Each fsync of the database takes 300 ms: reads are as fast as before, every request ends within 10 s, nothing is lost.",
    run: async () => (await import("./disks.ts")).slowDisk(),
  },
  {
    name: "dns-unavailable",
    what: "The name server responds to no query: a message within 12 s where a provider is needed, everything else as fast as before, and all works once it answers.",
    run: async () => (await import("./providers.ts")).withoutNames(),
  },
  {
    name: "half-open-connections",
    what: "The network drops connections to the database and of browsers without notifying either end: requests end within 10 s, both reconnect, nothing is lost.",
    tests: [
      {
        project: "web",
        file: "apps/web/src/lib/events.test.tsx",
        title: "reconnect when the stream is silent",
      },
    ],
    run: async () => (await import("./database.ts")).halfOpen(),
  },
];
