import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { variablesSchema } from "../../env-schema.ts";
import { freePort, patientSettings, type ServerProcess, startServer } from "../../testing/server-process.ts";
import { createTestDatabase } from "../../testing/test-database.ts";
import type { DoctorReport } from "./check-sections.ts";
import { listSecrets, listSettings, maskSecrets } from "./list-settings.ts";

const canary = "canary";
const all = Object.keys(variablesSchema.shape);
/** No server listens there. */
const nowhere = "http://127.0.0.1:9";
const long = (name: string) => `${canary}-${name}-0123456789-0123456789-0123456789`;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: ServerProcess;
let env: Record<string, string>;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), "doctor-"));
  writeFileSync(path.join(folder, "encryption"), long("encryption"));
  const port = await freePort();
  env = {
    NODE_ENV: "production",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    SESSION_SECRET: long("session"),
    ENCRYPTION_KEY_FILE: path.join(folder, "encryption"),
    ADMIN_EMAIL: "canary-admin@portal.example",
    DATA_DIR: folder,
  };
  server = startServer(env);
  await server.untilHealthy();
});
afterAll(async () => {
  await server.kill();
  await database.drop();
});

function runDoctor(more: Record<string, string> = {}, ...args: string[]) {
  return new Promise<{ code: number; out: string }>((resolve) => {
    const main = path.join(import.meta.dirname, "../../main-doctor.ts");
    execFile(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", main, ...args],
      { env: { PATH: process.env.PATH, ...patientSettings, ...env, ...more } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
  });
}

const provided = {
  TWILIO_ACCOUNT_SID: `AC${"c".repeat(32)}`,
  TWILIO_AUTH_TOKEN: long("twilio"),
  TWILIO_PHONE_NUMBER: "+12125550100",
  TWILIO_BASE_URL: nowhere,
  GHL_PRIVATE_TOKEN: long("ghl"),
  GHL_LOCATION_ID: `${canary}Location`,
  GHL_BASE_URL: nowhere,
  GOOGLE_CLIENT_ID: long("google-id"),
  GOOGLE_CLIENT_SECRET: long("google"),
  OIDC_ISSUER: "https://127.0.0.1:9",
  OIDC_CLIENT_ID: long("oidc-id"),
  OIDC_CLIENT_SECRET: long("oidc"),
  SMTP_URL: `smtp://${canary}-user:${canary}-p%40ss@127.0.0.1:9`,
  MAIL_FROM: `Desk <${canary}@portal.example>`,
  METRICS_TOKEN: long("metrics"),
  BACKUP_KEY: long("backup"),
};

describe("the doctor command", () => {
  it("reports a healthy portal, and exits with 0", async () => {
    const { code, out } = await runDoctor();
    expect(out).toContain("0 wrong");
    expect(code).toBe(0);
    for (const said of [/ok +Migrations +all \d+/, /ok +Server +PostgreSQL 1\d/, /ok +http:\S+ +ready/])
      expect(out).toMatch(said);
    expect(out).not.toContain(canary);
  });

  it("reports unreachable providers, exits with 1, and prints no secret of the environment", async () => {
    const { code, out } = await runDoctor(provided, "--json");
    const report = JSON.parse(out) as DoctorReport;
    const of = (title: string) => report.sections.find((each) => each.title === title)?.checks ?? [];
    expect([code, report.status]).toEqual([1, "fail"]);
    expect(of("Settings").filter(({ status }) => status === "fail")).toEqual([]);
    expect(
      of("Providers")
        .filter(({ status }) => status === "fail")
        .map(({ name }) => name),
    ).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ghl/),
        expect.stringMatching(/^twilio/),
        "email: credentials",
      ]),
    );
    expect(of("Settings")).toContainEqual({ name: "TWILIO_AUTH_TOKEN", status: "info", text: "set" });
    expect(of("Settings")).toContainEqual({ name: "ENCRYPTION_KEY", status: "info", text: "set, by a file" });
    expect(out).not.toContain(canary);
  });

  it("reports a wrong database password, without the password", async () => {
    const url = new URL(database.url);
    url.searchParams.set("host", "127.0.0.1");
    url.port = "9";
    url.password = `${canary}-database`;
    const { code, out } = await runDoctor({ DATABASE_URL: url.toString() });
    expect(code).toBe(1);
    expect(out).toMatch(/fail +Server +The database at 127\.0\.0\.1:9 does not answer/);
    expect(out).not.toContain(canary);
  });

  it("lists the errors of an invalid environment", async () => {
    const { code, out } = await runDoctor({ SESSION_SECRET: `${canary}-short` });
    expect(code).toBe(1);
    expect(out).toMatch(/fail +Not looked at +SESSION_SECRET must have at least 32 characters/);
    expect(out).not.toContain(canary);
  });
});

describe("masked output", () => {
  it("covers every setting not listed as public, also inside an error message", () => {
    const names = all.filter((name) => /(SECRET|TOKEN|KEY|SID|EMAIL|FROM|_ID|NEXT)$/.test(name));
    const source = Object.fromEntries(names.map((name) => [name, long(name)]));
    expect(names.length).toBeGreaterThan(15);
    expect(listSettings(all, source).map(({ text }) => text)).toEqual(names.map(() => "set"));
    const said = names.map((name) => `refused: ${source[name]}!`).join("\n");
    expect(maskSecrets(said, listSecrets(all, source))).not.toContain(canary);
  });

  it("covers the credentials in an address, raw and decoded", () => {
    const source = {
      DATABASE_URL: "postgresql://rep:p%40ss-canary@db.example:5432/portal?sslmode=verify-full",
    };
    expect(listSettings(all, source)[0]?.text).toBe(
      "postgresql://db.example:5432/portal?sslmode=verify-full",
    );
    expect(maskSecrets("p%40ss-canary p@ss-canary", listSecrets(all, source))).toBe("*** ***");
  });

  it("covers the user named in an error", () => {
    expect(maskSecrets("to +12125550137 or (212) 555-0137, ana@portal.test", [])).toBe(
      "to *** or ***, ***@***",
    );
  });
});
