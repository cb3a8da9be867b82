import { createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { buildUser } from "../../apps/server/src/testing/factories.ts";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print } from "../lib/print.ts";
import { signIn } from "./consultant.ts";

const contacts = 5_000;
/** The server is killed when it has read this many pages. */
const killedAtPage = 7;
/** Requests for pages with these numbers get the previous page's response. */
const repeatedPages = [3, 9, 12];
const timeoutMs = 600_000;

/** A proxy of the sandbox that answers some of the CRM's pages with the previous page once. */
function repeatingCrm() {
  let pages = 0;
  let last: { status: number; headers: object; body: Buffer } | undefined;
  return {
    pages: () => pages,
    async start(sandboxUrl: string) {
      const server = createServer((incoming, response) => {
        const isPage = incoming.method === "POST" && incoming.url?.includes("/contacts/search");
        if (isPage) pages += 1;
        if (isPage && last && repeatedPages.includes(pages)) {
          incoming.resume();
          response.writeHead(last.status, { ...last.headers });
          response.end(last.body);
          return;
        }
        const passed = request(
          sandboxUrl + incoming.url,
          { method: incoming.method ?? "GET", headers: incoming.headers },
          async (answer) => {
            const chunks: Buffer[] = [];
            for await (const chunk of answer) chunks.push(chunk as Buffer);
            const whole = {
              status: answer.statusCode ?? 502,
              headers: answer.headers,
              body: Buffer.concat(chunks),
            };
            if (isPage && whole.status === 200) last = whole;
            response.writeHead(whole.status, { ...whole.headers });
            response.end(whole.body);
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

/**
 * A sync of 5,000 contacts, requested by two clicks at once, killed (SIGKILL) at its seventh page and requested again, while the CRM
 * repeats some pages and an administrator changes leads that are already stored. @returns whether each contact is one lead with one entry
 * on its timeline, the run counts each once, and no local change is lost, also after a second sync
 */
export async function run(): Promise<boolean> {
  const crm = repeatingCrm();
  const env = { SANDBOX_GHL_RATE_LIMIT: "off" };
  const bench = await startPortalOnSandbox({ speed: 1, callsPerSecond: 1, env, startProvider: crm.start });
  const faults: string[] = [];
  try {
    const { url, database, portal, control } = bench;
    const rows = async <Row extends object>(sql: string, ...values: unknown[]) =>
      (await database.pool.query<Row>(sql, values)).rows;
    const { total } = await control<{ total: number }>("POST", "/ghl/generate", { count: contacts });
    await control("POST", "/latency", { vendor: "ghl", match: "/contacts/search", ms: 300 });
    const cookie = await signIn(url, await buildUser(database, { role: "admin" }));
    const sync = () =>
      fetch(`${url}/api/ghl/sync`, { method: "POST", headers: { cookie } }).catch(() => null);
    const clicks = [sync(), sync()];
    const edited: number[] = [];
    const edit = async (count: number) => {
      for (const { id } of await rows<{ id: number }>(
        "select id from leads where id <> all($1) order by random() limit $2",
        edited,
        count,
      )) {
        const answer = await fetch(`${url}/api/leads/${id}`, {
          method: "PATCH",
          headers: { cookie, "content-type": "application/json" },
          body: JSON.stringify({ status: "qualified", priority: "high", notes: `Ours ${id}` }),
        });
        if (answer.ok) edited.push(id);
        else faults.push(`a change was answered ${answer.status}`);
      }
    };
    while (crm.pages() < 5) await sleep(50);
    await edit(20);
    while (crm.pages() < killedAtPage) await sleep(20);
    await portal.killAndRestart();
    await Promise.all(clicks);
    const [{ synced: before } = { synced: 0 }] = await rows<{ synced: number }>(
      "select synced from crm_sync_runs",
    );
    const untilDone = async () => {
      for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(500)) {
        const open = await rows("select 1 from crm_sync_runs where state = 'running'");
        if (open.length === 0) return;
        await (await sync())?.body?.cancel();
      }
      faults.push("the sync did not end");
    };
    await sync();
    await edit(20);
    await untilDone();
    const runs = await rows<{ state: string; synced: number; kind: string }>(
      "select kind, state, synced from crm_sync_runs where requested_by is not null order by id",
    );
    const check = async (when: string) => {
      const [found] = await rows<Record<string, number>>(
        `select (select count(*) from leads where ghl_contact_id is not null)::int as leads, (select count(distinct ghl_contact_id) from leads)::int as contacts,
           (select count(*) from lead_events where kind = 'created')::int as created`,
      );
      for (const [name, n] of Object.entries(found ?? {}))
        if (n !== total) faults.push(`${when}: ${n} ${name} in place of ${total}`);
      const [kept] = await rows<{ n: number }>(
        "select count(*)::int as n from leads where id = any($1) and status = 'qualified' and priority = 'high' and notes = 'Ours ' || id",
        edited,
      );
      if (kept?.n !== edited.length)
        faults.push(`${when}: ${kept?.n} of ${edited.length} changes of ours are kept`);
    };
    await check("after the sync");
    if (runs.length !== 1 || runs[0]?.synced !== total || runs[0].state !== "done")
      faults.push(`runs ${JSON.stringify(runs)} in place of one of ${total}`);
    await sync();
    await untilDone();
    await check("after the next sync");
    print(
      `${total} contacts, ${crm.pages()} pages asked for, killed with ${before} taken in; ${edited.length} leads changed meanwhile`,
    );
    print(`faults ${faults.length}`);
    for (const fault of faults) print(`  ${fault}`);
    return faults.length === 0;
  } finally {
    await bench.stop();
  }
}
