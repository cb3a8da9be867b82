import type pg from "pg";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Around the changes of the clocks in Havana, where midnight comes twice in autumn and never in spring, and in New York. */
const clockChanges = [
  "2025-11-02T04:00Z",
  "2025-11-02T05:00Z",
  "2025-11-02T06:00Z",
  "2026-03-08T05:00Z",
  "2026-03-08T07:00Z",
  "2026-11-01T04:00Z",
  "2026-11-01T05:00Z",
  "2026-11-01T05:30Z",
];
/** Midnights of Havana and New York in winter and summer, and of Kathmandu, in ms of the UTC day. */
const midnights = [5, 4, 18.25].map((hours) => hours * hourMs);

/** Writes leads, calls, texts and conversions at random, dense around midnights, changes of the clocks and the edges of weeks and months. */
export function createRandomWork(pool: pg.Pool, { seed, userIds }: { seed: number; userIds: number[] }) {
  const random = randomOf(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const someone = () => (random() < 0.2 ? null : one(userIds));

  function instant(): string {
    const now = Date.now();
    const kinds = [
      () => now - below(70 * dayMs),
      () => now - below(400 * dayMs),
      () => Date.parse(one(clockChanges)) + below(3) - 1,
      () => Math.floor(now / dayMs - 1 - below(62)) * dayMs + one(midnights) + below(3) - 1,
      () => now - one([7, 14, 30, 60]) * dayMs + one([-70, -61, -59, -2, 2, 59, 61, 70]) * 60_000,
    ];
    return new Date(Math.min(one(kinds)(), now)).toISOString();
  }

  async function insert(table: string, columns: string, count: number, row: () => unknown[]): Promise<void> {
    const rows = Array.from({ length: count }, row);
    const names = columns.split(", ");
    const values = rows.map(
      (cells, index) => `(${cells.map((_, cell) => `$${index * names.length + cell + 1}`).join(", ")})`,
    );
    const write = () =>
      pool.query(`insert into ${table} (${columns}) values ${values.join(", ")}`, rows.flat());
    // Writers of many leads may deadlock; it is tried once more then, as the portal's transactions are.
    await write().catch((error: { code?: string }) => {
      if (error.code !== "40P01") throw error;
      return write();
    });
  }
  const idsOf = async (sql: string) => (await pool.query<{ id: number }>(sql)).rows.map(({ id }) => id);

  const status = () => one(["new", "contacted", "qualified", "interested", "not_interested"]);
  const source = () => one(["Web", "Referral", "Feria de Madrid", "", null, "x".repeat(230)]);
  const outcome = () =>
    one(["answered", "voicemail", "busy", "no_answer", "wrong_number", "completed", "not_connected", null]);
  const textStatus = () => one(["sent", "delivered", "failed", "undelivered"]);

  async function addLeads(count: number): Promise<void> {
    await insert("leads", "name, status, lead_source, assigned_to, created_at", count, () => [
      `Lead ${below(1_000)}`,
      status(),
      source(),
      someone(),
      instant(),
    ]);
  }

  async function addCalls(count: number): Promise<void> {
    const leadIds = await idsOf("select id from leads");
    const columns =
      "lead_id, user_id, outcome, duration_seconds, reported_seconds, call_date, direction, confirmed, call_type";
    await insert("call_logs", columns, count, () => {
      const stranger = random() < 0.05;
      const direction = stranger || random() < 0.2 ? "inbound" : "outbound";
      return [
        stranger ? null : one(leadIds),
        someone(),
        outcome(),
        ...(random() < 0.2 ? [0, below(900)] : [below(900), null]),
        instant(),
        direction,
        true,
        "browser",
      ];
    });
  }

  async function addTexts(count: number): Promise<void> {
    const leadIds = await idsOf("select id from leads");
    const columns = "lead_id, user_id, direction, status, created_at, body, from_number, to_number";
    await insert("messages", columns, count, () => {
      const out = random() < 0.6;
      const leadId = random() < 0.1 ? null : one(leadIds);
      const to = [instant(), "Hola", "+12125550100", "+12125550101"];
      return out
        ? [leadId, one(userIds), "outbound", textStatus(), ...to]
        : [leadId, null, "inbound", "received", ...to];
    });
  }

  /** As the product converts: client and lead at one instant. */
  async function convert(count: number): Promise<void> {
    const open = await idsOf("select id from leads where converted_at is null order by id");
    for (let n = 0; n < count && open.length > 0; n += 1) {
      const [leadId] = open.splice(below(open.length), 1);
      const at = instant();
      await pool.query(
        "insert into clients (lead_id, converted_by, converted_at, conversion_value) values ($1, $2, $3, $4)",
        [leadId, one(userIds), at, below(40_000) / 4],
      );
      await pool.query("update leads set status = 'converted', converted_at = $2 where id = $1", [
        leadId,
        at,
      ]);
    }
  }

  /** Changes and removes rows, each in a way that some figure counts. */
  async function change(count: number): Promise<void> {
    const steps: [string, () => unknown[]][] = [
      ["update leads set assigned_to = $2 where id = $1", () => [someone()]],
      ["update leads set lead_source = $2, created_at = $3 where id = $1", () => [source(), instant()]],
      ["update leads set status = $2 where id = $1 and status <> 'converted'", () => [status()]],
      ["update leads set notes = $2 where id = $1", () => ["nothing that is counted"]],
      [
        "update call_logs set outcome = $2, duration_seconds = $3 where id = $1",
        () => [outcome(), below(900)],
      ],
      [
        "update call_logs set reported_seconds = case when reported_seconds is null then 65 end, duration_seconds = $2 where id = $1",
        () => [below(900)],
      ],
      ["update call_logs set call_date = $2, user_id = $3 where id = $1", () => [instant(), someone()]],
      ["update call_logs set direction = 'inbound' where id = $1", () => []],
      [
        "update call_logs set lead_id = (select min(id) from leads) where id = $1 and lead_id is not null",
        () => [],
      ],
      ["delete from call_logs where id = $1", () => []],
      ["update messages set status = $2 where id = $1 and direction = 'outbound'", () => [textStatus()]],
      ["update messages set created_at = $2 where id = $1", () => [instant()]],
      ["delete from messages where id = $1", () => []],
      ["update clients set conversion_value = $2 where id = $1", () => [below(40_000) / 4]],
      [
        `delete from leads l where id = $1 and not exists (select 1 from call_logs where lead_id = l.id)
           and not exists (select 1 from messages where lead_id = l.id) and not exists (select 1 from clients where lead_id = l.id)`,
        () => [],
      ],
    ];
    const tables = ["leads", "call_logs", "messages", "clients"];
    const ids = new Map<string, number[]>();
    for (const table of tables) ids.set(table, await idsOf(`select id from ${table} order by id`));
    for (let n = 0; n < count; n += 1) {
      const [sql, values] = one(steps);
      const table = tables.find((name) => sql.includes(` ${name} `)) ?? "leads";
      const id = one(ids.get(table) ?? []);
      if (id !== undefined) await pool.query(sql, [id, ...values()]);
    }
  }

  return {
    addLeads,
    addCalls,
    addTexts,
    /** Leads, calls, texts and conversions in numbers that go together, and changes of them. */
    async write(size: number): Promise<void> {
      await addLeads(size);
      await addCalls(size * 4);
      await addTexts(size * 2);
      await convert(Math.ceil(size / 4));
      // Leads without anything can be removed.
      await addLeads(Math.ceil(size / 4));
      await change(size * 2);
    },
  };
}
