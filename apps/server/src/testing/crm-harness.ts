import { buildUser } from "./factories.ts";
import { startTestSandbox } from "./sandbox.ts";
import { buildTestApp } from "./test-app.ts";
import { zoneAt } from "./zone-at.ts";

/**
 * A CRM with its 126 contacts, an app that processes its queues, an administrator and the three consultants known to the CRM. With `listen`
 * the CRM sends its webhooks to the app, once `sendWebhooks` was called. The time is noon, so that no nightly run starts.
 */
export async function openCrmHarness({ listen = false } = {}) {
  const sandbox = await startTestSandbox();
  const app = await buildTestApp({ env: { ...sandbox.env, ORG_TIME_ZONE: zoneAt(12) }, jobs: true, listen });
  const admin = await app.signIn({ role: "admin", email: "admin@portal.test" });
  const ana = await app.signIn({ email: "ana@portal.test" });
  await buildUser(app.deps.database, { email: "Luis@portal.test" });
  await buildUser(app.deps.database, { email: "sofia@portal.test" });
  return {
    sandbox,
    app,
    admin,
    ana,
    /** From now on the CRM's webhooks reach the app, or nobody. */
    sendWebhooks: (on: boolean) =>
      sandbox.control("POST", "/ghl/webhook", { url: on ? `${app.url}/api/ghl/webhook` : null }),
    failNext: (rule: object) => sandbox.control("POST", "/fail", { vendor: "ghl", ...rule }),
    /** Everything as it was at the beginning, people apart: a test is as good as on a harness of its own. */
    async renew() {
      await sandbox.control("POST", "/reset");
      const { pool } = app.deps.database;
      await pool.query("delete from jobs.job where name like 'crm%'");
      await pool.query(
        "truncate leads, crm_sync_runs, crm_run_pages, crm_awaited, crm_rejects, pacing, provider_events restart identity cascade",
      );
    },
    /** The limiter has forgotten what was asked so far. */
    refresh: () => app.deps.database.pool.query("delete from pacing where name = 'crm'"),
    async close() {
      await app.close();
      await sandbox.close();
    },
  };
}

export type CrmHarness = Awaited<ReturnType<typeof openCrmHarness>>;
