import { buildTestApp, type Client } from "./test-app.ts";

/** The portal with its jobs, for tests of imports; `leadsOf` answers the leads of a condition in the order of their ids. */
export async function openImportHarness() {
  const portal = await buildTestApp({ jobs: true });
  const leadsOf = async (where: string, ...values: unknown[]) =>
    (await portal.deps.database.pool.query(`select * from leads where ${where} order by id`, values)).rows;
  return { portal, leadsOf };
}

export type ImportHarness = Awaited<ReturnType<typeof openImportHarness>>;

/** Imports records as the page does. */
export const sendLeads = (client: Client, leads: unknown[], rest: object = {}) =>
  client.post("/api/import/leads", { leads, sourceSystem: "CSV Import", ...rest });
