import { buildUser } from "./factories.ts";
import { startTestSandbox } from "./sandbox.ts";
import { buildTestApp } from "./test-app.ts";

/** A CRM with its 126 contacts, an app that works its queues, an administrator and the three consultants whom the CRM knows. */
export async function openCrmDesk() {
  const sandbox = await startTestSandbox();
  const app = await buildTestApp({ env: sandbox.env, jobs: true });
  const admin = await app.signIn({ role: "admin", email: "admin@portal.test" });
  const ana = await app.signIn({ email: "ana@portal.test" });
  await buildUser(app.deps.database, { email: "Luis@portal.test" });
  await buildUser(app.deps.database, { email: "sofia@portal.test" });
  return {
    sandbox,
    app,
    admin,
    ana,
    failNext: (rule: object) => sandbox.control("POST", "/fail", { vendor: "ghl", ...rule }),
    async close() {
      await app.close();
      await sandbox.close();
    },
  };
}

export type CrmDesk = Awaited<ReturnType<typeof openCrmDesk>>;
