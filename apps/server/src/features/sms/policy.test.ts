import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSmsHarness, type SmsHarness } from "../../testing/sms-harness.ts";
import { detectLanguage } from "./policy.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: SmsHarness;
beforeAll(async () => {
  desk = await openSmsHarness();
});
afterAll(() => desk.close());

const languagesOf = async (lead: { id: number }) => {
  const { language, language_guess: guess } = await desk.leadNow(lead.id);
  return { language, guess };
};

describe("language detection", () => {
  it.each([
    ["Call me tomorrow please", "en"],
    ["Llámeme mañana por favor", "es"],
    ["cuanto cuesta", "es"],
    ["thanks", "en"],
    ["No gracias", "es"],
    ["ok", null],
    ["Hola", null],
    ["No", null],
    ["STOP", null],
    ["👍 555", null],
    ["", null],
  ])("of %j returns %s", async (words, language) => {
    expect(await detectLanguage(words)).toBe(language);
  });
});

describe("a lead's language", () => {
  it("is detected from their SMS, follows the latest ones, and is kept when one is inconclusive", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.receive(lead.phoneE164, "Hola");
    expect(await languagesOf(lead)).toEqual({ language: null, guess: null });
    await desk.receive(lead.phoneE164, "¿Me puede llamar mañana por la tarde?");
    expect(await languagesOf(lead)).toEqual({ language: null, guess: "es" });
    await desk.receive(lead.phoneE164, "ok");
    expect((await rep.get(`/api/leads/${lead.id}`)).body).toMatchObject({
      language: null,
      languageGuess: "es",
    });
    for (const words of ["Who is this?", "Sorry, I am in a meeting", "Can you send me the prices first?"])
      await desk.receive(lead.phoneE164, words);
    expect(await languagesOf(lead)).toEqual({ language: null, guess: "en" });
  });

  it("is confirmed by a person only, and detection never changes it", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const confirmed = await rep.patch(`/api/leads/${lead.id}`, { language: "en" });
    expect(confirmed).toMatchObject({ status: 200, body: { language: "en", languageGuess: null } });
    await desk.receive(lead.phoneE164, "Prefiero que me escriban en español, gracias");
    expect(await languagesOf(lead)).toEqual({ language: "en", guess: "es" });
    const { body } = await rep.get(`/api/leads/${lead.id}/timeline`);
    expect(body).toContainEqual(
      expect.objectContaining({ kind: "changed", field: "language", before: null, after: "en" }),
    );
    await rep.patch(`/api/leads/${lead.id}`, { language: null });
    expect(await languagesOf(lead)).toEqual({ language: null, guess: "es" });
    expect(await rep.patch(`/api/leads/${lead.id}`, { language: "fr" })).toMatchObject({ status: 400 });
    const other = await desk.signInRep();
    expect(await other.patch(`/api/leads/${lead.id}`, { language: "es" })).toMatchObject({ status: 403 });
    expect(await languagesOf(lead)).toEqual({ language: null, guess: "es" });
  });

  it("filters the lists by the confirmed, else by the detected language", async () => {
    const rep = await desk.signInRep();
    const [guessed, confirmed, unknown] = [
      await desk.leadOf(rep),
      await desk.leadOf(rep),
      await desk.leadOf(rep),
    ];
    await desk.pool.query("update leads set language_guess = 'es' where id = any($1)", [
      [guessed.id, confirmed.id],
    ]);
    await rep.patch(`/api/leads/${confirmed.id}`, { language: "en" });
    const found = async (language: string) =>
      (await rep.get(`/api/leads?language=${language}`)).body.map(({ id }: { id: number }) => id);
    expect(await found("es")).toEqual([guessed.id]);
    expect(await found("en")).toEqual([confirmed.id]);
    expect(await found("unknown")).toEqual([unknown.id]);
    expect(await rep.get("/api/leads?language=fr")).toMatchObject({ status: 400 });
    const { body } = await rep.get(`/api/leads/all?language=es&limit=50`);
    expect(body).toContainEqual(expect.objectContaining({ id: guessed.id, languageGuess: "es" }));
  });

  it("is detected from the SMS of an unknown number when they are assigned to a lead", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.receive("+13055550991", "Buenos días, me interesa el seguro para mi negocio");
    const { rows } = await desk.pool.query("select id from messages where from_number = '+13055550991'");
    await rep.post(`/api/sms/inbox/${rows[0].id}/attach`, { leadId: lead.id });
    expect(await languagesOf(lead)).toEqual({ language: null, guess: "es" });
  });
});
