import { buildUser } from "./factories.ts";
import { startTestSandbox } from "./sandbox.ts";
import { buildTestApp } from "./test-app.ts";

/**
 * A CRM with its 126 contacts, an app that works its queues, an administrator and the three consultants whom the CRM knows. With
 * `listen` the CRM can tell the app, once `hear` was called.
 */
export async function openCrmDesk({ listen = false } = {}) {
  const sandbox = await startTestSandbox();
  const app = await buildTestApp({ env: sandbox.env, jobs: true, listen });
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
    hear: (on: boolean) =>
      sandbox.control("POST", "/ghl/webhook", { url: on ? `${app.url}/api/ghl/webhook` : null }),
    failNext: (rule: object) => sandbox.control("POST", "/fail", { vendor: "ghl", ...rule }),
    async close() {
      await app.close();
      await sandbox.close();
    },
  };
}

export type CrmDesk = Awaited<ReturnType<typeof openCrmDesk>>;
