import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSmsHarness, type SmsHarness } from "../../../testing/sms-harness.ts";
import type { Client } from "../../../testing/test-app.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: SmsHarness;
let admin: Client;
beforeAll(async () => {
  desk = await openSmsHarness();
  admin = await desk.portal.signIn({ role: "admin" });
});
afterAll(() => desk.close());

const path = "/api/sms/templates";
const comesWithThePortal = "Missed you · Le llamé";
const namesOf = async (as: Client) =>
  (await as.get(path)).body
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => name !== comesWithThePortal);
const filledFor = async (as: Client, lead: { id: number }) =>
  (await as.get(`/api/leads/${lead.id}/sms-templates`)).body;
const audited = async (id: number) =>
  (
    await desk.pool.query("select action, data from audit_log where subject = $1 order by id", [
      `template:${id}`,
    ])
  ).rows;

describe("SMS templates", () => {
  it("are personal, or shared by administrators with an audit entry", async () => {
    expect((await desk.portal.request("GET", path)).status).toBe(401);
    const [ana, luis] = [await desk.signInRep(), await desk.signInRep()];
    const own = await ana.post(path, { name: "  Price \n list ", en: " Hi {{first_name}} ", es: "  " });
    expect(own).toMatchObject({
      status: 200,
      body: { name: "Price list", en: "Hi {{first_name}}", es: null, isShared: false, version: 1, sent: 0 },
    });
    expect(await ana.post(path, { name: "All", en: "x", isShared: true })).toMatchObject({ status: 403 });
    const shared = await admin.post(path, { name: "Hours", es: "Abrimos a las 9", isShared: true });
    expect(await namesOf(ana)).toEqual(["Hours", "Price list"]);
    expect(await namesOf(luis)).toEqual(["Hours"]);
    expect(await namesOf(admin)).toEqual(["Hours"]);

    for (const [as, id, status] of [
      [luis, own.body.id, 404],
      [admin, own.body.id, 404],
      [ana, shared.body.id, 403],
    ] as const) {
      expect((await as.patch(`${path}/${id}`, { name: "Taken", version: 1 })).status).toBe(status);
      expect((await as.delete(`${path}/${id}`)).status).toBe(status);
    }
    await admin.patch(`${path}/${shared.body.id}`, { en: "We open at 9", version: 1 });
    await admin.delete(`${path}/${shared.body.id}`);
    expect(await namesOf(ana)).toEqual(["Price list"]);
    expect(await audited(shared.body.id)).toMatchObject([
      { action: "shared-template-created", data: { name: "Hours", es: "Abrimos a las 9" } },
      { action: "shared-template-changed", data: { en: "We open at 9", enBefore: null } },
      { action: "shared-template-deleted", data: { name: "Hours" } },
    ]);
    expect(await audited(own.body.id)).toEqual([]);
  });

  it.each([
    [{ name: " ", en: "x" }, "Give the template a name."],
    [{ name: "x" }, "Write the text in English, in Spanish, or in both."],
    [{ name: "x", en: "Hi {{phone}}" }, "There is no field {{phone}}."],
  ])("reject %j", async (body, message) => {
    const rep = await desk.signInRep();
    expect(await rep.post(path, body)).toMatchObject({ status: 400, body: { message } });
    expect(await namesOf(rep)).toEqual([]);
  });

  it("keep their text as versions, and reject a change based on an outdated version", async () => {
    const rep = await desk.signInRep();
    const { id } = (await rep.post(path, { name: "A", en: "One" })).body;
    expect((await rep.patch(`${path}/${id}`, { en: "Two", version: 1 })).body).toMatchObject({ version: 2 });
    expect(await rep.patch(`${path}/${id}`, { en: "Three", version: 1 })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    const both = await Promise.all(
      ["Four", "Five"].map((en) => rep.patch(`${path}/${id}`, { en, version: 2 })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { rows } = await desk.pool.query(
      "select version, en from sms_template_versions where template_id = $1 order by version",
      [id],
    );
    expect(rows).toEqual([
      { version: 1, en: "One" },
      { version: 2, en: "Two" },
      { version: 3, en: expect.stringMatching(/Four|Five/) },
    ]);
  });

  it("are limited to a hundred", async () => {
    const rep = await desk.signInRep();
    await desk.pool.query(
      `with t as (insert into sms_templates (user_id) select $1 from generate_series(1, 99) returning id)
       insert into sms_template_versions (template_id, version, name, en) select id, 1, 'T', 'x' from t`,
      [rep.user.id],
    );
    const answers = await Promise.all(["a", "b"].map((name) => rep.post(path, { name, en: "x" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe("SMS templates filled in for a lead", () => {
  it("are in the lead's language with known values, and keep placeholders of unknown ones", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.pool.query(
      "update leads set first_name = 'Inés', company = null, language_guess = 'es', time_zone = 'America/New_York' where id = $1",
      [lead.id],
    );
    await desk.pool.query(
      `insert into meetings (user_id, lead_id, title, starts_at, ends_at, time_zone, calendar_type)
       values ($1, $2, 'Demo', '2099-01-05T15:00:00Z', '2099-01-05T15:30:00Z', 'UTC', 'local')`,
      [rep.user.id, lead.id],
    );
    await rep.post(path, {
      name: "Meeting",
      en: "Hi {{first_name}}, see you {{meeting}}. {{consultant}}",
      es: "Hola {{first_name}}, nos vemos {{meeting}} en {{company|su negocio}} {{company}}",
    });
    const { language, templates } = await filledFor(rep, lead);
    expect(language).toBe("es");
    const [first] = rep.user.name.split(" ");
    expect(templates.find(({ name }: { name: string }) => name === "Meeting")).toMatchObject({
      en: `Hi Inés, see you Monday, January 5 at 10:00 AM EST. ${first}`,
      es: expect.stringMatching(
        /^Hola Inés, nos vemos lunes, 5 de enero.*10:00.* en su negocio \{\{company\}\}$/,
      ),
    });
    await rep.patch(`/api/leads/${lead.id}`, { language: "en" });
    expect((await filledFor(rep, lead)).language).toBe("en");

    const other = await desk.signInRep();
    expect((await other.get(`/api/leads/${lead.id}/sms-templates`)).status).toBe(403);
    expect((await rep.get("/api/leads/999999/sms-templates")).status).toBe(404);
  });

  it("include the one for a missed call: the personal before the shared one", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const missed = async () => {
      const { missedCallId, templates } = await filledFor(rep, lead);
      return templates.find(({ id }: { id: number }) => id === missedCallId)?.name;
    };
    expect(await missed()).toBe(comesWithThePortal);
    const [first, second] = [
      await rep.post(path, { name: "Mine", en: "Call me", isForMissedCall: true }),
      await rep.post(path, { name: "Other", en: "Call me back", isForMissedCall: true }),
    ];
    expect(await missed()).toBe("Other");
    const { body } = await rep.get(path);
    expect(
      body
        .filter((each: { isForMissedCall: boolean }) => each.isForMissedCall)
        .map(({ name }: { name: string }) => name),
    ).toEqual([comesWithThePortal, "Other"]);
    await rep.patch(`${path}/${second.body.id}`, { isForMissedCall: false, version: 1 });
    expect(await missed()).toBe(comesWithThePortal);
    expect(first.body.isForMissedCall).toBe(true);
  });
});

describe("an SMS from a template", () => {
  it("keeps its text and the template version, whatever happens to the template", async () => {
    const [rep, other] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await desk.leadOf(rep);
    const { id } = (await rep.post(path, { name: "A", en: "Hello" })).body;
    const { versionId } = (await filledFor(rep, lead)).templates.find(
      (each: { id: number }) => each.id === id,
    );
    const send = (message: string, as = rep, to = lead) =>
      as.post(`/api/leads/${to.id}/sms`, { message, templateVersionId: versionId });
    expect((await send("Hello, Inés")).status).toBe(200);
    await rep.patch(`${path}/${id}`, { en: "Goodbye", version: 1 });
    expect((await rep.get(path)).body.find((each: { id: number }) => each.id === id)).toMatchObject({
      sent: 1,
    });
    await rep.delete(`${path}/${id}`);
    // A version of another user's template is not recorded.
    const theirs = await desk.leadOf(other);
    expect((await send("Hello too", other, theirs)).status).toBe(200);
    const { rows } = await desk.pool.query(
      `select m.body, v.en, v.version from messages m left join sms_template_versions v on v.id = m.template_version_id
       where m.lead_id = any($1) order by m.id`,
      [[lead.id, theirs.id]],
    );
    expect(rows).toEqual([
      { body: "Hello, Inés", en: "Hello", version: 1 },
      { body: "Hello too", en: null, version: null },
    ]);
  });

  it("is rejected with an unfilled field", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    expect(await desk.send(rep, lead, "Hola {{company}}")).toMatchObject({
      status: 400,
      body: { code: "message_unfilled" },
    });
    expect(await desk.thread(rep, lead)).toEqual([]);
    expect((await desk.send(rep, lead, "Use {{braces}} as you like")).status).toBe(200);
  });
});
