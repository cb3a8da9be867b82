/** The demo's accounts, with their ids in the sandbox's CRM; the administrator is the last. */
export const crmUsers = [
  { email: "ana@portal.test", crmUserId: "usrAna00000000000002" },
  { email: "luis@portal.test", crmUserId: "usrLuis0000000000003" },
  { email: "sofia@portal.test", crmUserId: "usrSofia000000000004" },
  { email: "admin@portal.test", crmUserId: "usrAdmin000000000001" },
];

/** Tables with rows only if the portal was used. */
const used = [
  "leads",
  "calls",
  "inbound_calls",
  "call_logs",
  "messages",
  "meetings",
  "imports",
  "crm_sync_runs",
];

interface Client {
  query(
    text: string,
    values?: unknown[],
    // biome-ignore lint/suspicious/noExplicitAny: the driver's own type, which has no row type
  ): Promise<{ rows: any[] }>;
}

/** Whether a database is unused: it has at most the demo's accounts, without any work of theirs. A database without tables is unused. */
export async function isUnused(client: Client): Promise<boolean> {
  const { rows: tables } = await client.query("select to_regclass('crm_sync_runs') is not null as present");
  if (!tables[0]?.present) return true;
  const worked = used.map((table) => `exists (select 1 from ${table})`).join(" or ");
  const { rows } = await client.query(
    `select not (${worked}) and not exists (select 1 from users where email <> all($1::text[])) as unused`,
    [crmUsers.map(({ email }) => email)],
  );
  return rows[0]?.unused === true;
}
