import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { EnvError, readEnv } from "./env.ts";

const database = { DATABASE_URL: "postgresql://portal@localhost/portal" };

function faultsOf(source: Record<string, string>): string[] {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof EnvError) return error.faults;
    throw error;
  }
  return [];
}

describe("readEnv", () => {
  it("defaults to a demo on the sandbox", () => {
    const env = readEnv({ ...database, PORT: "7000" });
    expect(env).toMatchObject({
      demo: true,
      publicUrl: "http://localhost:7000",
      secure: false,
      market: "OPEN",
    });
    expect(env.providers.twilio?.baseUrl).toBe("http://127.0.0.1:7001/twilio");
    expect(env.providers.goHighLevel?.baseUrl).toBe("http://127.0.0.1:7001/ghl");
    expect(env.providers.google?.baseUrl).toBe("http://127.0.0.1:7001");
  });

  it("reports all errors at once", () => {
    const faults = faultsOf({
      PORT: "http",
      ORG_TIME_ZONE: "Mars/Olympus",
      TWILIO_ACCOUNT_SID: "ACshort",
      GHL_PRIVATE_TOKEN: "pit-x",
      GOOGLE_CLIENT_ID: "id",
      PUBLIC_URL: "portal.example.com",
    });
    for (const name of [
      "PORT",
      "ORG_TIME_ZONE",
      "TWILIO_ACCOUNT_SID",
      "GHL_LOCATION_ID",
      "GOOGLE_CLIENT_SECRET",
      "PUBLIC_URL",
      "DATABASE_URL",
    ]) {
      expect(faults.join("\n")).toContain(name);
    }
  });

  it("disables local passwords only with a complete login provider, reached by https in production", () => {
    const provider = { OIDC_ISSUER: "http://login.example.com", OIDC_CLIENT_ID: "portal" };
    const off = { ...database, LOCAL_PASSWORDS: "off" };
    expect(faultsOf(off).join()).toContain("LOCAL_PASSWORDS");
    expect(faultsOf({ ...off, ...provider }).join()).toContain("OIDC_CLIENT_SECRET");
    const whole = { ...off, ...provider, OIDC_CLIENT_SECRET: "secret" };
    expect(faultsOf({ ...whole, NODE_ENV: "production" }).join()).toContain("OIDC_ISSUER");
    expect(readEnv(whole).signIn).toMatchObject({
      localPasswords: false,
      provider: { name: "login.example.com", passwordPage: null },
    });
  });

  it("rejects production without its secrets, and disables providers without keys", () => {
    expect(faultsOf({ ...database, NODE_ENV: "production" }).join("\n")).toMatch(
      /PUBLIC_URL[\s\S]*SESSION_SECRET[\s\S]*ENCRYPTION_KEY[\s\S]*ADMIN_EMAIL/,
    );
    const env = readEnv({
      ...database,
      NODE_ENV: "production",
      PUBLIC_URL: "https://portal.example.com/",
      SESSION_SECRET: "s".repeat(32),
      ENCRYPTION_KEY: "e".repeat(32),
      ADMIN_EMAIL: "Boss@example.com",
    });
    expect(env).toMatchObject({
      demo: false,
      secure: true,
      publicUrl: "https://portal.example.com",
      adminEmail: "boss@example.com",
      providers: { twilio: null, goHighLevel: null, google: null },
    });
  });

  it("accepts a key rotation with both keys, and rejects a single or repeated one", () => {
    const [fresh, old] = ["n".repeat(32), "o".repeat(32)];
    const env = readEnv({
      ...database,
      ...{ SESSION_SECRET: fresh, SESSION_SECRET_PREVIOUS: old },
      ...{ ENCRYPTION_KEY: fresh, ENCRYPTION_KEY_PREVIOUS: old, BACKUP_KEY: fresh, BACKUP_KEY_PREVIOUS: old },
    });
    const both = { current: fresh, previous: old };
    expect(env).toMatchObject({
      sessionSecrets: both,
      encryptionKeys: both,
      backup: { key: fresh, previousKey: old },
    });
    expect(faultsOf({ ...database, ENCRYPTION_KEY_PREVIOUS: old })).toEqual([
      "ENCRYPTION_KEY is missing: it belongs to ENCRYPTION_KEY_PREVIOUS",
    ]);
    expect(faultsOf({ ...database, SESSION_SECRET: old, SESSION_SECRET_PREVIOUS: old })).toEqual([
      "SESSION_SECRET_PREVIOUS is the same as SESSION_SECRET: take it out, or set the key before",
    ]);
  });

  it("treats an empty value as unset", () => {
    expect(readEnv({ ...database, PUBLIC_URL: "", OFFICE_LINE: "" }).officeLine).toBe("+12125550199");
  });

  it("parses the mail server, and never prints the credentials in its address", () => {
    const MAIL_FROM = "Lead Desk <portal@example.com>";
    const SMTP_URL = "smtp://desk%40example.com:p%40ss@mail.example.com";
    expect(readEnv({ ...database, SMTP_URL, MAIL_FROM }).mail).toEqual({
      host: "mail.example.com",
      port: 587,
      secure: false,
      login: { user: "desk@example.com", password: "p@ss" },
      from: MAIL_FROM,
    });
    expect(readEnv(database).mail).toBeNull();
    expect(faultsOf({ ...database, SMTP_URL })).toEqual(["MAIL_FROM is missing: it belongs to SMTP_URL"]);
    const faults = faultsOf({
      ...database,
      SMTP_URL: "https://u:canary@host",
      MAIL_FROM: "a\nb@example.com",
    });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain("canary");
  });

  describe("secrets in files", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "portal-secrets-"));
    const secret = path.join(folder, "session");
    writeFileSync(secret, "a secret of forty characters in a file!!\n");
    afterAll(() => rmSync(folder, { recursive: true }));

    it("replace the variable", () => {
      const env = readEnv({ ...database, SESSION_SECRET_FILE: secret });
      expect(env.sessionSecrets).toEqual({
        current: "a secret of forty characters in a file!!",
        previous: null,
      });
    });

    it("are errors when the file cannot be read or the variable is set too; the content is validated", () => {
      expect(faultsOf({ ...database, SESSION_SECRET_FILE: `${secret}-not` })).toEqual([
        `SESSION_SECRET_FILE names a file that cannot be read (ENOENT): ${secret}-not`,
      ]);
      expect(faultsOf({ ...database, SESSION_SECRET_FILE: secret, SESSION_SECRET: "x".repeat(40) })).toEqual([
        "SESSION_SECRET_FILE and SESSION_SECRET are both set: take one of them out",
      ]);
      expect(faultsOf({ ...database, OFFICE_LINE_FILE: secret })).toEqual([
        "OFFICE_LINE must be a number like +12125550100",
      ]);
    });
  });
});
