import { readFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openCallHarness } from "../../testing/call-harness.ts";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type TestApp } from "../../testing/test-app.ts";

const token = "a-token-of-the-scraper";
const withToken = { headers: { authorization: `Bearer ${token}` } };

let portal: TestApp;
beforeAll(async () => {
  portal = await buildTestApp({ env: { METRICS_TOKEN: token } });
});
afterAll(() => portal.close());

/** Parses the Prometheus text into series by name and labels. */
async function readSeries(of = portal): Promise<Map<string, number>> {
  const { status, body, headers } = await of.request("GET", "/metrics", withToken);
  expect([status, headers["content-type"]]).toEqual([200, expect.stringContaining("version=0.0.4")]);
  const lines = String(body).split("\n");
  return new Map(
    lines
      .filter((line) => line && !line.startsWith("#"))
      .map((line) => {
        const [, name = "", value] = /^(.*) (\S+)$/.exec(line) ?? [];
        return [name, Number(value)];
      }),
  );
}

describe("the Prometheus metrics", () => {
  it("require the token, and are not found when none is set", async () => {
    const wrong = { headers: { authorization: "Bearer another-token-entirely" } };
    expect((await portal.request("GET", "/metrics")).status).toBe(401);
    expect((await portal.request("GET", "/metrics", wrong)).status).toBe(401);
    const without = await buildTestApp();
    const { status, body } = await without.request("GET", "/metrics", withToken);
    // The web page, or 404 if it is not built.
    expect([status === 404 || !String(body).includes("portal_"), String(body)]).toEqual([
      true,
      expect.not.stringContaining("nodejs_"),
    ]);
    await without.close();
  });

  it("count requests by pattern, provider requests, and pending work, without personal data", async () => {
    const { pool } = portal.deps.database;
    const rep = await portal.signIn();
    const lead = await buildLead(portal.deps.database, { phone: "(305) 555-0142", assignedTo: rep.user.id });
    await rep.get(`/api/leads/${lead.id}`);
    await rep.get("/api/leads/987654321");
    await pool.query(
      `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state, last_event_at)
       values ($1, $2, '+13055550101', 'personal', $3, true, 'in_progress', now() - interval '10 minutes')`,
      [lead.id, rep.user.id, lead.phoneE164],
    );
    await pool.query(
      "insert into crm_outbox (lead_id, field, created_at) values ($1, 'notes', now() - interval '11 minutes')",
      [lead.id],
    );
    await pool.query(
      "insert into crm_outbox (lead_id, field, held_until) values ($1, 'status', now() + interval '1 minute')",
      [lead.id],
    );
    await pool.query(
      "insert into contact_refusals (user_id, lead_id, channel, by, reason) values ($1, $2, 'call', 'person', 'opted_out')",
      [rep.user.id, lead.id],
    );
    await pool.query(
      "insert into provider_events (source, event_key, kind, payload, received_at) values ('twilio', 'k', 'status', '{}', now() - interval '1 hour')",
    );
    await pool.query(
      "insert into backup_runs (started_at, ended_at, file, bytes, rows) values (now() - interval '2 hours', now(), 'one', 1, 1)",
    );
    const series = await readSeries();

    expect(series.get('portal_http_requests_total{method="GET",route="/api/leads/:id",status="200"}')).toBe(
      1,
    );
    expect(series.get('portal_http_requests_total{method="GET",route="/api/leads/:id",status="404"}')).toBe(
      1,
    );
    expect(series.get('portal_http_request_seconds_count{method="GET",route="/api/leads/:id"}')).toBe(2);
    expect(series.get('portal_calls_live{state="in_progress"}')).toBe(1);
    expect(series.get("portal_calls_stuck")).toBe(1);
    expect(series.get("portal_crm_outbox_waiting")).toBe(1);
    expect(series.get("portal_crm_outbox_oldest_seconds")).toBeGreaterThan(600);
    expect(series.get('portal_contact_refusals_last_hour{channel="call",reason="opted_out"}')).toBe(1);
    expect(series.get('portal_provider_events_waiting{source="twilio"}')).toBe(1);
    expect(series.get('portal_provider_event_last_seconds{source="twilio"}')).toBeGreaterThan(3_500);
    expect(series.get("portal_backup_age_seconds")).toBeGreaterThan(7_000);
    expect(series.get("portal_database_up")).toBe(1);
    expect(series.has("portal_event_streams")).toBe(true);
    expect(series.has("nodejs_eventloop_lag_seconds")).toBe(true);
    expect([...series.keys()].join("\n")).not.toContain(lead.phoneE164);
  });

  it("count and log violations of the content policy by directive and host only, from browser reports only", async () => {
    const policy = (await portal.request("GET", "/api/health")).headers;
    expect(policy["content-security-policy"]).toMatch(/report-uri \/api\/content-reports(;|$)/);
    const lines: string[] = [];
    const own = await buildTestApp({ env: { METRICS_TOKEN: token } });
    const { log } = own.deps;
    log.level = "warn";
    const { [pino.symbols.streamSym]: out } = log as unknown as Record<
      symbol,
      { write(line: string): boolean }
    >;
    if (!out) throw new Error("the logger has no stream");
    vi.spyOn(out, "write").mockImplementation((line) => lines.push(line) > 0);
    const send = async (type: string, report: unknown) =>
      (
        await own.app.inject({
          method: "POST",
          url: "/api/content-reports",
          headers: { "content-type": type },
          payload: JSON.stringify(report),
        })
      ).statusCode;
    const page = `${own.url}/leads/7?q=Rosa`;
    const old = {
      "csp-report": {
        "document-uri": page,
        "effective-directive": "script-src-elem",
        "violated-directive": "script-src-elem",
        "blocked-uri": "https://evil.example.com/x.js?who=Rosa",
      },
    };
    const body = { documentURL: page, effectiveDirective: "img-src", blockedURL: "inline" };
    const odd = { ...body, effectiveDirective: "Rosa Díaz", blockedURL: "Rosa Díaz" };
    expect(await send("application/csp-report", old)).toBe(204);
    expect(
      await send("application/reports+json", [
        { type: "deprecation", body: {} },
        { type: "csp-violation", url: page, body },
        { type: "csp-violation", url: page, body: odd },
      ]),
    ).toBe(204);
    expect(await send("application/csp-report", ["nothing of the kind"])).toBe(204);
    expect(await send("application/json", old)).toBe(415);
    expect(await send("application/csp-report", { "csp-report": "x".repeat(40_000) })).toBe(413);
    const said = lines.filter((line) => line.includes("content policy refused"));
    expect(
      said.map((line) => JSON.parse(line)).map(({ directive, blocked }) => [directive, blocked]),
    ).toEqual([
      ["script-src-elem", "evil.example.com"],
      ["img-src", "inline"],
      ["other", "other"],
    ]);
    expect(lines.join("")).not.toContain("Rosa");
    const series = await readSeries(own);
    const counted = [...series].filter(([name]) => name.startsWith("portal_content_policy_reports_total"));
    expect(counted.map(([name, value]) => [/"(.*)"/.exec(name)?.[1], value])).toEqual([
      ["script-src-elem", 1],
      ["img-src", 1],
      ["other", 1],
    ]);
    const statuses = new Set<number>();
    for (let sent = 5; sent <= 60; sent += 1) statuses.add(await send("application/csp-report", old));
    expect([...statuses]).toEqual([204, 429]);
    await own.close();
  });

  it("count provider requests by result", async () => {
    const desk = await openCallHarness({ env: { METRICS_TOKEN: token } });
    const answered = 'portal_provider_requests_total{provider="twilio",outcome="answered"}';
    const before = (await readSeries(desk.portal)).get(answered) ?? 0;
    const rep = await desk.signInRep();
    await desk.call(rep, await desk.leadOf(rep));
    expect((await readSeries(desk.portal)).get(answered)).toBeGreaterThan(before);
    await desk.close();
  });

  it("reset pending counts that no longer exist", async () => {
    const { pool } = portal.deps.database;
    await pool.query("update calls set state = 'ended', settled = true");
    expect([...(await readSeries()).keys()].filter((name) => name.startsWith("portal_calls_live{"))).toEqual(
      [],
    );
  });

  it("include every series used by alert rules and dashboard; each rule is documented", async () => {
    const root = path.join(import.meta.dirname, "../../../../..");
    const read = (file: string) => readFileSync(path.join(root, file), "utf8");
    const rules = read("deploy/prometheus/alerts.yaml");
    const asked = `${rules}${read("deploy/grafana/portal.json")}`.match(
      /\b(?:portal|nodejs|process)_[a-z0-9_]+/g,
    );
    const { body } = await portal.request("GET", "/metrics", withToken);
    const known = new Set([...String(body).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const missing = (asked ?? []).filter((name) => !known.has(name.replace(/_bucket$/, "")));
    expect([asked?.length ?? 0, missing]).toEqual([expect.toSatisfy((count) => count > 30), []]);
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const guide = read("docs/operations.md");
    expect(alerts.filter((name) => !guide.includes(`**${name}**`))).toEqual([]);
  });
});
