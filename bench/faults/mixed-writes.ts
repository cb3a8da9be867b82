import { createHash, randomUUID, sign } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import { GHL_LOCATION_ID, SYSTEM_NUMBER, TWILIO_AUTH_TOKEN } from "../../packages/sandbox/src/defaults.ts";
import { signingKey } from "../../packages/sandbox/src/gohighlevel/hooks.ts";
import { signedForm } from "../lib/desk-provider.ts";
import type { PortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { chances } from "../lib/session-worker.ts";
import { signIn } from "./consultant.ts";
import type { Acknowledged, Kind } from "./ledger.ts";
import { type Asked, newTally, send, type Tally } from "./send.ts";

const consultants = 6;
const leadsEach = 40;
/** This many of each consultant's leads are used only for conversion. */
const convertible = 10;
const importers = 2;
const rowsOfFile = 2_500;
/** An import waits for its end, and is interrupted repeatedly during the kills. */
const timeoutMs = 600_000;
/** Share of acknowledged requests that are sent once more, like a lost response, a second click or a vendor's repetition. */
const repeatShare = 0.15;
const key = "whk_key-of-the-bench";
const areas =
  "201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 253 254 256 260 262 267 269 270 276 281 301 302".split(
    " ",
  );
/** Leads start with the first status and are never set to "new", which a call would change automatically. */
const statuses = ["contacted", "qualified", "interested", "not_interested"];
const outcomes = ["answered", "voicemail", "no_answer", "busy"];

/** Numbers used only by the bench, each once. */
const phoneOf = (n: number) => `+1${areas[Math.floor(n / 10_000)]}555${String(n % 10_000).padStart(4, "0")}`;
/** Numbers of phones that receive SMS in the sandbox. */
const textedPhoneOf = (n: number) => phoneOf(Math.floor(n / 5) * 10 + (n % 5));
const firstOtherPhone = consultants * leadsEach * 2;
const json = { "content-type": "application/json" };

interface Person {
  cookie: string;
  leadIds: number[];
  phones: string[];
}

/** Creates consultants with leads of their own, signed in, and the key of the lead webhook. */
export async function seedPeople({ database, url }: PortalOnSandbox): Promise<Person[]> {
  const people = [];
  for (let n = 0; n < consultants; n += 1) {
    const user = await buildUser(database);
    const phones = Array.from({ length: leadsEach }, (_, index) => textedPhoneOf(n * leadsEach + index));
    const leadIds = [];
    for (const phone of phones)
      leadIds.push((await buildLead(database, { phone, assignedTo: user.id, status: "contacted" })).id);
    people.push({ cookie: await signIn(url, user), leadIds, phones });
  }
  await database.pool.query(
    "insert into lead_webhook_sources (source, key_hash, key_hint, key_created_at) values ('lead', $1, 'ench', now())",
    [createHash("sha256").update(key).digest("hex")],
  );
  return people;
}

/** A file of leads, a third of them without an email: only their phone distinguishes them. */
function csvOf(file: number): { body: string; marks: string[] } {
  const rows = Array.from({ length: rowsOfFile }, (_, n) => {
    const mark = `File ${file} row ${n}`;
    const phone = phoneOf(firstOtherPhone + 40_000 + file * rowsOfFile + n);
    return { mark, line: `Rosa Vidal,${n % 3 ? `f${file}.${n}@example.com,` : `,${phone}`},${mark}` };
  });
  const lines = rows.map(({ line }) => line);
  return { body: `name,email,phone,company\n${lines.join("\n")}\n`, marks: rows.map(({ mark }) => mark) };
}

/**
 * Everybody writes at once until `over`: consultants change leads, report calls, send SMS, schedule meetings and convert; two files are
 * imported; a form, the telephony provider and the CRM send webhooks. Each request is sent until it is acknowledged.
 * @returns what was acknowledged (written into `acknowledged` meanwhile), and the results of the requests
 */
export async function writeMixed(
  { url, control }: Pick<PortalOnSandbox, "url" | "control">,
  people: Person[],
  {
    seed,
    over,
    acknowledged = { marks: new Map(), at: new Map(), changes: new Map() },
  }: { seed: number; over: AbortSignal; acknowledged?: Acknowledged },
): Promise<{ acknowledged: Acknowledged; tally: Tally }> {
  const tally = newTally();
  const keep = (kind: Kind, ...marks: string[]) => {
    const known = acknowledged.marks.get(kind) ?? [];
    acknowledged.marks.set(kind, known);
    for (const mark of marks) {
      known.push(mark);
      acknowledged.at.set(mark, new Date());
    }
  };

  /** Repeats an action at its own pace. */
  async function work(
    name: number,
    pauseMs: number,
    act: (input: {
      n: number;
      chance: () => number;
      post: (asked: Asked) => Promise<string | null>;
    }) => Promise<void>,
  ): Promise<void> {
    const chance = chances(seed * 1_000 + name);
    for (let n = 0; !over.aborted; n += 1) {
      const post = (asked: Asked) =>
        send(url, asked, { tally, repeats: chance() < repeatShare ? 1 : 0, timeoutMs });
      await act({ n, chance, post });
      await sleep(pauseMs * (0.5 + chance()));
    }
  }

  const consult = async ({ cookie, leadIds }: Person, index: number) => {
    const headers = { ...json, cookie };
    const state = new Map<number, string>();
    const toConvert = leadIds.slice(0, convertible);
    await work(index, 300, async ({ n, chance, post }) => {
      const place = convertible + Math.floor(chance() * (leadsEach - convertible));
      const leadId = leadIds[place] as number;
      const mark = `${index}.${n}`;
      const change = async (field: string, after: string) => {
        const asked: Asked = {
          method: "PATCH",
          path: `/api/leads/${leadId}`,
          headers,
          body: JSON.stringify({ [field]: after }),
        };
        if ((await post(asked)) === null) return;
        const place = `${leadId} ${field}`;
        acknowledged.changes.set(place, [...(acknowledged.changes.get(place) ?? []), after]);
      };
      const kept = async (kind: Kind, value: string, path: string, body: object) => {
        if ((await post({ path, headers, body: JSON.stringify(body) })) !== null) keep(kind, value);
      };
      const clientRef = randomUUID();
      const act = chance();
      if (act < 0.2) {
        const others = statuses.filter((status) => status !== (state.get(leadId) ?? statuses[0]));
        const status = others[Math.floor(chance() * others.length)] as string;
        state.set(leadId, status);
        await change("status", status);
      } else if (act < 0.35) await change("notes", `Note ${mark}`);
      else if (act < 0.48)
        await change("nextFollowUpDate", new Date(Date.now() + 86_400_000 + n * 60_000).toISOString());
      else if (act < 0.78)
        await kept("report", `Report ${mark}`, "/api/call-logs", {
          leadId,
          duration: 30 + n,
          outcome: outcomes[n % outcomes.length],
          notes: `Report ${mark}`,
          clientRef,
        });
      else if (act < 0.85)
        await kept("text", `Text ${mark}`, `/api/leads/${leadId}/sms`, {
          message: `Text ${mark}`,
          clientRef,
        });
      else if (act < 0.97 || toConvert.length === 0) {
        const startTime = new Date(Date.now() + n * 3_600_000).toISOString();
        const endTime = new Date(Date.parse(startTime) + 1_800_000).toISOString();
        const title = `Meeting ${mark}`;
        await kept("meeting", title, "/api/calendar/events", {
          title,
          startTime,
          endTime,
          leadId,
          clientRef,
        });
      } else {
        const id = toConvert.pop() as number;
        const path = `/api/leads/${id}/convert`;
        const body = JSON.stringify({ conversionValue: 1_000 + n });
        if ((await post({ path, headers, body, doneBefore: "already_converted" })) !== null)
          keep("client", String(id));
      }
    });
  };

  const importFiles = async ({ cookie }: Person, index: number) => {
    const headers = { "content-type": "text/csv", cookie };
    await work(100 + index, 4_000, async ({ n, post }) => {
      const file = n * importers + index;
      const { body, marks } = csvOf(file);
      const path = `/api/import/leads?sourceSystem=CSV%20Import&fileName=file-${file}.csv`;
      if ((await post({ path, headers, body })) !== null) keep("imported row", ...marks);
    });
  };

  const sendForms = () =>
    work(200, 250, async ({ n, chance, post }) => {
      const mark = `Form ${n}`;
      const lead = {
        name: "Ana Reyes",
        company: mark,
        ...(n % 2 ? { phone: phoneOf(firstOtherPhone + n) } : { email: `form.${n}@example.com` }),
      };
      // Not every sender provides an id for its requests.
      const id: Record<string, string> = chance() < 0.5 ? { "x-webhook-id": `form-${n}` } : {};
      const headers = { ...json, "x-webhook-secret": key, ...id };
      const answer = await post({ path: "/api/webhook/lead", headers, body: JSON.stringify(lead) });
      if (answer !== null) keep("delivered lead", mark);
    });

  const phones = people.flatMap((person) => person.phones);
  const textIn = () =>
    work(300, 400, async ({ n, chance, post }) => {
      const isStranger = chance() < 0.2;
      const from = isStranger ? phoneOf(firstOtherPhone + 30_000 + n) : phones[n % phones.length];
      const sid = `SM${createHash("md5").update(`${seed} ${n}`).digest("hex")}`;
      const params = { MessageSid: sid, From: from as string, To: SYSTEM_NUMBER, Body: `Inbound ${n}` };
      const { path, headers, text } = signedForm(url, "/api/twilio/sms/inbound", params, TWILIO_AUTH_TOKEN);
      if ((await post({ path, headers, body: text })) !== null) keep("inbound text", `Inbound ${n}`);
    });

  const signing = signingKey();
  const sendContacts = () =>
    work(400, 700, async ({ n, post }) => {
      const contact = { firstName: "Inés", lastName: "Duarte", email: `crm.${n}@example.com` };
      const { id } = await control<{ id: string }>("POST", "/ghl/contacts", contact);
      const event = {
        type: "ContactCreate",
        locationId: GHL_LOCATION_ID,
        id,
        ...contact,
        timestamp: new Date().toISOString(),
        webhookId: randomUUID(),
      };
      const body = JSON.stringify(event);
      const signature = sign(null, Buffer.from(body), signing).toString("base64");
      const headers = { ...json, "x-ghl-signature": signature };
      if ((await post({ path: "/api/ghl/webhook", headers, body })) !== null) keep("contact", id);
    });

  await Promise.all([
    ...people.map(consult),
    ...people.slice(0, importers).map(importFiles),
    sendForms(),
    textIn(),
    sendContacts(),
  ]);
  return { acknowledged, tally };
}
