import { afterAll, beforeAll, expect, it } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

let app: TestApp;
let ana: Client;
const ids: number[] = [];

beforeAll(async () => {
  app = await buildTestApp();
  ana = await app.signIn({ name: "Ana Reyes" });
  for (let n = 0; n < 6; n += 1)
    ids.push((await buildLead(app.deps.database, { assignedTo: ana.user.id, phone: `+1201555010${n}` })).id);
});
afterAll(() => app.close());

const sql = (text: string, values: unknown[] = []) => app.deps.database.pool.query(text, values);

interface Shown {
  id: number;
  name: string;
  salesRepName: string;
  notes: string | null;
}

/** Her list, compared with each lead by itself and in the list of all leads. */
async function shown(): Promise<Shown[]> {
  const list = (await ana.get("/api/leads")).body as Shown[];
  const all = new Map(((await ana.get("/api/leads/all")).body as Shown[]).map((lead) => [lead.id, lead]));
  for (const lead of list) {
    expect(lead).toEqual((await ana.get(`/api/leads/${lead.id}`)).body);
    expect(lead).toMatchObject(all.get(lead.id) ?? {});
  }
  return list;
}

const first = async () => (await shown()).find(({ id }) => id === ids[0]);

it("lists the current state after every kind of write, however often the lists were read before", async () => {
  const changes = [
    "update leads set name = 'Changed ' || id",
    "update leads set notes = 'é \"quoted\" | bar', next_follow_up_date = now()",
    "update leads set phone = ' ', phone_e164 = null where id % 2 = 0",
    "update leads set text_opt_out = 'dnd', time_zone = 'America/New_York' where id % 3 = 0",
    "update leads set phone = '+12015550177', phone_e164 = '+12015550177'",
    "update leads set number_fault = 'disconnected' where id = (select min(id) from leads)",
    "insert into stopped_numbers (number, stopped) values ('+12015550177', true)",
    "update stopped_numbers set stopped = false",
    "update leads set number_fault = null",
    "update users set name = 'Ana R. Ortega'",
    "vacuum full leads",
    "update leads set last_activity_at = now(), unread_messages = 3 where id % 2 = 0",
    "update leads set assigned_to = null where id = (select max(id) from leads)",
  ];
  await shown();
  for (const change of changes) {
    await sql(change);
    await shown();
    await shown();
  }
  expect(await first()).toMatchObject({ name: `Changed ${ids[0]}`, salesRepName: "Ana R. Ortega" });
});

it("lists only committed data, and the last of several writes of one transaction", async () => {
  const client = await app.deps.database.pool.connect();
  try {
    const before = (await first())?.notes;
    await client.query("begin");
    await client.query("update leads set notes = 'a draft' where id = $1", [ids[0]]);
    expect((await first())?.notes).toBe(before);
    await client.query("update leads set notes = 'as it was said' where id = $1", [ids[0]]);
    expect((await first())?.notes).toBe(before);
    await client.query("commit");
    expect((await first())?.notes).toBe("as it was said");
  } finally {
    client.release();
  }
});
