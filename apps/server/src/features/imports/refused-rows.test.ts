import { jsonText } from "@portal/contract/json-text";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ImportHarness, openImportHarness, sendLeads } from "../../testing/import-harness.ts";
import { oddStrings } from "../../testing/odd-strings.ts";
import type { TestApp } from "../../testing/test-app.ts";

vi.setConfig({ testTimeout: 60_000 });

let portal: TestApp;
let leadsOf: ImportHarness["leadsOf"];
beforeAll(async () => {
  ({ portal, leadsOf } = await openImportHarness());
});
afterAll(() => portal.close());

describe("rejected rows of an import", () => {
  it("are exported with their reasons, safe from spreadsheet formulas, and can be imported again", async () => {
    const admin = await portal.signIn({ role: "admin" });
    const columns = ["Name", "Email", "Comments"];
    const failed = ['=HYPERLINK("http://x")', "no-address", 'two\nlines, "quoted"'];
    const { body } = await sendLeads(
      admin,
      [["Ana", "ana.back@example.com", ""], failed, ["a", "b", "c", "d"]],
      {
        columns,
        fileName: "leads.csv",
      },
    );
    expect(body).toMatchObject({ imported: 1, errors: 2 });
    const csv = await admin.get(`/api/imports/${body.importId}/failed.csv`);
    expect(csv.headers["content-disposition"]).toBe(
      `attachment; filename="import-${body.importId}-failed.csv"`,
    );
    expect(csv.body.split("\r\n")).toEqual([
      "\ufeffImport error,Import row,Name,Email,Comments",
      `Invalid email address: no-address,3,"'=HYPERLINK(""http://x"")",no-address,"two\nlines, ""quoted"""`,
      "Has more cells than the header (4 > 3),4,a,b,c,d",
      "",
    ]);
    const mended = [
      "Invalid email address: no-address",
      "3",
      `'${failed[0]}`,
      "mended@example.com",
      failed[2],
    ];
    const header = ["Import error", "Import row", ...columns];
    expect((await sendLeads(admin, [mended], { columns: header })).body).toMatchObject({ imported: 1 });
    expect(await leadsOf("email = 'mended@example.com'")).toMatchObject([
      { name: expect.stringMatching(/^=/), notes: failed[2], extra: null, assigned_to: null },
    ]);
  });

  it("are exported with all fields, also those of few rows", async () => {
    const rep = await portal.signIn();
    const rows = Array.from({ length: 520 }, (_, n) => ({
      Name: `Nobody ${n}`,
      ...(n === 519 && { Late: "x" }),
    }));
    const late = (await sendLeads(rep, rows)).body;
    expect(late.errors).toBe(520);
    const csv = (await rep.get(`/api/imports/${late.importId}/failed.csv`)).body.split("\r\n");
    expect(csv[0]).toBe("\ufeffImport error,Import row,Name,Late");
    expect(csv[520]).toMatch(/,520,Nobody 519,x$/);
    const wide = (
      await sendLeads(
        rep,
        Array.from({ length: 210 }, (_, n) => ({ [`Field ${n}`]: n })),
      )
    ).body;
    const lines = (await rep.get(`/api/imports/${wide.importId}/failed.csv`)).body.split("\r\n");
    expect(lines[0]).toMatch(/^\ufeffImport error,Import row,Field 0,.*,Field 199,Import record$/);
    expect(lines[200]).toMatch(/,199,$/);
    expect(lines[201]).toMatch(/,201,{200},"\{""Field 200"":200\}"$/);
  });

  it("include values that the database cannot store: unpaired surrogates, and lists nested too deeply", async () => {
    const rep = await portal.signIn();
    const deep = JSON.parse(`${"[".repeat(20_000)}"end"${"]".repeat(20_000)}`);
    const email = (n: number) => ({ email: `whole-${n}@example.com` });
    const long = "😀".repeat(60);
    const leads = [
      { ...email(0), note: "a 😀 whole" },
      { ...email(1), Ref: deep },
      { ...email(2), Name: deep },
      { ...email(3), Notes: "half a \ud83d" },
      { ...email(4), "half \ud83d": "x" },
      { ...email(5), Nested: { list: ["\ude00"] } },
      { Email: `x${long}` },
      { ...email(7), Name: JSON.parse(`${"[".repeat(60)}"Eva"${"]".repeat(60)}`) },
    ];
    const imported = async (body: object) =>
      (
        await portal.app.inject({
          method: "POST",
          url: "/api/import/leads",
          headers: { cookie: rep.cookie, "content-type": "application/json" },
          payload: jsonText(body),
        })
      ).json();
    const body = await imported({ leads });
    expect(body).toMatchObject({ imported: 2, errors: 6, running: false });
    expect(body.details.failed).toEqual([
      "Row 2: Is nested too deeply: Ref",
      "Row 3: Is nested too deeply: Name",
      "Row 4: Has broken characters: Notes",
      "Row 5: Has broken characters: half \ufffd",
      "Row 6: Has broken characters: Nested",
      `Row 7: Invalid email address: x${"😀".repeat(49)}\ufffd`,
    ]);
    const csv = (await rep.get(`/api/imports/${body.importId}/failed.csv`)).body;
    expect(csv).toContain("[".repeat(20_000));
    expect(csv.split("\r\n")).toHaveLength(8);
    const rows = leads.map((lead) => [
      (lead as { email?: string }).email ?? "",
      Object.values(lead)[1] ?? "",
    ]);
    expect(await imported({ leads: rows, columns: ["Email", "Remark"] })).toMatchObject({
      imported: 1,
      skipped: 2,
      errors: 5,
    });
    const alone = (record: object) =>
      portal.app.inject({
        method: "POST",
        url: "/api/import/lead",
        headers: { cookie: rep.cookie, "content-type": "application/json" },
        payload: jsonText(record),
      });
    for (const record of leads.slice(1, 6)) expect((await alone(record)).statusCode).toBe(400);
    expect((await alone(leads[1] as object)).json().message).toBe("Is nested too deeply: Ref.");
    // Written so that the body is read completely.
    const whole = await portal.app.inject({
      method: "POST",
      url: "/api/import/leads",
      headers: { cookie: rep.cookie, "content-type": "application/json" },
      payload: jsonText({ leads }).replace('"leads"', '"\\u006ceads"'),
    });
    expect(whole.json()).toMatchObject({ imported: 0, skipped: 2, errors: 6 });
    const latin = await portal.app.inject({
      method: "POST",
      url: "/api/import/leads",
      headers: { cookie: rep.cookie, "content-type": "application/json" },
      payload: Buffer.from('{"leads":[{"email":"latin@example.com","name":"Jos\xe9"}]}', "latin1"),
    });
    expect([latin.statusCode, latin.json().message]).toEqual([400, "The body is not UTF-8."]);
  });

  it("do not include unusual texts, which are stored as sent and never cause a 5xx", async () => {
    const rep = await portal.signIn();
    const rows = oddStrings.map((text, n) => ({
      email: `odd-${n}@example.com`,
      name: text,
      notes: text,
      company: text,
      industry: text,
      status: text,
      priority: text,
      dealValue: text,
      source: text,
      [`x${text}`]: text,
      nested: { [text]: [text] },
    }));
    expect(rows.length).toBeGreaterThanOrEqual(485);
    const { status, body } = await sendLeads(rep, rows);
    const broken = oddStrings.filter((text) => !text.isWellFormed()).length;
    expect({ status, errors: body.errors, imported: body.imported }).toEqual({
      status: 200,
      errors: broken,
      imported: rows.length - broken,
    });
    const stored = await leadsOf("assigned_to = $1", rep.user.id);
    const kept = (text: string) => text.replaceAll("\u0000", "").trim() || null;
    const guarded = /^'[=+\-@]/;
    const plain = oddStrings
      .filter((text) => text.isWellFormed())
      .map((text, n) => ({ text, notes: stored[n].notes }))
      .filter(({ text }) => !guarded.test(text));
    expect(plain.filter(({ text, notes }) => notes !== kept(text))).toEqual([]);
    const list = await rep.get("/api/leads");
    expect([list.status, list.body.length]).toEqual([200, rows.length - broken]);
    const statuses = new Set<number>();
    for (const text of oddStrings.filter((_, n) => n % 5 === 0))
      statuses.add(
        (await rep.get(`/api/leads?limit=5&search=${encodeURIComponent(text.toWellFormed())}`)).status,
      );
    expect([...statuses].filter((answered) => answered >= 500)).toEqual([]);
    const strange = [[], {}, 7, true, null, [[]], { email: {} }, { email: [] }, { phone: 3055550134.5 }];
    const odd = [
      ...strange,
      ...oddStrings,
      ...oddStrings.map((text) => ({ email: text, phone: text, name: text })),
    ];
    const refused = await sendLeads(rep, odd);
    expect([refused.status, refused.body.imported]).toEqual([200, 0]);
    const csv = await rep.get(`/api/imports/${refused.body.importId}/failed.csv`);
    expect(csv.status).toBe(200);
    expect(csv.body.split(/\r\n/).filter((line: string) => /^[=+@-]|,[=+@]/.test(line))).toEqual([]);
  });
});
