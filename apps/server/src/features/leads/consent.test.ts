import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSmsHarness, type SmsHarness } from "../../testing/sms-harness.ts";
import type { Client } from "../../testing/test-app.ts";

let desk: SmsHarness;
beforeAll(async () => {
  desk = await openSmsHarness({ env: { MARKET: "ES" } });
});
afterAll(() => desk.close());

const path = (lead: { id: number }) => `/api/leads/${lead.id}/consent`;
const source = "Formulario web del 12 de marzo";
let numbers = 0;

/** A lead in Spain, in a zone where the current time is always within contact hours. */
function spaniard(rep: Client) {
  numbers += 1;
  const east = ((14 - new Date().getUTCHours() + 36) % 24) - 12;
  const timeZone = `Etc/GMT${east > 0 ? "-" : "+"}${Math.abs(east)}`;
  return desk.leadOf(rep, "answers", { phone: `+3460000${1000 + numbers * 10}`, timeZone });
}

async function refusals(rep: Client, lead: { id: number }) {
  const { callRefusal, textRefusal, consentSource } = (await rep.get(`/api/leads/${lead.id}`)).body;
  return { callRefusal, textRefusal, consentSource };
}

async function audit(lead: { id: number }) {
  const { rows } = await desk.pool.query(
    "select action, user_id, data from audit_log where subject = $1 and action like 'consent-%' order by id",
    [`lead:${lead.id}`],
  );
  return rows;
}

describe("consent of a lead", () => {
  it("is recorded by the assignee and administrators only, and never without its text", async () => {
    const [rep, other] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await spaniard(rep);
    const bare = await desk.portal.request("POST", path(lead), { body: { source } });
    expect(bare.status).toBe(401);
    expect((await other.post(path(lead), { source })).body.code).toBe("not_your_lead");
    expect((await other.delete(path(lead))).body.code).toBe("not_your_lead");
    for (const empty of ["", "  ", "x".repeat(301)])
      expect((await rep.post(path(lead), { source: empty })).status).toBe(400);
    expect((await rep.post("/api/leads/2147483647/consent", { source })).status).toBe(404);
    expect(await audit(lead)).toEqual([]);
    expect((await desk.leadNow(lead.id)).consent_at).toBeNull();
  });

  it("allows calls and SMS in markets that require it, until it is withdrawn", async () => {
    const rep = await desk.signInRep();
    const lead = await spaniard(rep);
    const refused = { callRefusal: "no_consent", textRefusal: "no_consent", consentSource: null };
    expect(await refusals(rep, lead)).toEqual(refused);
    expect((await desk.send(rep, lead, "Hola")).body.reason).toBe("no_consent");
    expect((await rep.post("/api/make-call", { leadId: lead.id })).body.reason).toBe("no_consent");

    const kept = await rep.post(path(lead), { source: ` ${source} ` });
    expect(kept.body).toMatchObject({ consentSource: source, callRefusal: null, textRefusal: null });
    expect(Math.abs(Date.parse(kept.body.consentAt) - Date.now())).toBeLessThan(60_000);
    expect((await desk.send(rep, lead, "Hola")).status).toBe(200);

    expect((await rep.delete(path(lead))).body).toMatchObject({ consentAt: null, ...refused });
    expect((await desk.send(rep, lead, "¿Sigue ahí?")).body.reason).toBe("no_consent");
    expect((await rep.delete(path(lead))).status).toBe(200);
  });

  it("is in the audit log and on the timeline with who and how, also when a new record replaces it", async () => {
    const [rep, admin] = [await desk.signInRep(), await desk.signInRep(null, { role: "admin" })];
    const lead = await spaniard(rep);
    await rep.post(path(lead), { source });
    await admin.post(path(lead), { source: "Por teléfono" });
    await rep.delete(path(lead));
    expect(await audit(lead)).toMatchObject([
      { action: "consent-recorded", user_id: rep.user.id, data: { reason: source } },
      {
        action: "consent-recorded",
        user_id: admin.user.id,
        data: { reason: "Por teléfono", before: { source } },
      },
      { action: "consent-withdrawn", user_id: rep.user.id, data: { before: { source: "Por teléfono" } } },
    ]);
    const { body } = await rep.get(`/api/leads/${lead.id}/timeline?limit=5`);
    expect(body.map(({ kind, text }: { kind: string; text: string }) => [kind, text])).toEqual([
      ["consent-withdrawn", null],
      ["consent-recorded", "Por teléfono"],
      ["consent-recorded", source],
    ]);
  });
});
