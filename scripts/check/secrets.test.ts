import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lintSource } from "@secretlint/core";
import { creator as pattern } from "@secretlint/secretlint-rule-pattern";
import { creator as recommended } from "@secretlint/secretlint-rule-preset-recommend";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

/** Formats of secrets of the portal and its vendors, in addition to the many in the preset. */
const patterns = [
  { name: "GoHighLevel private token", pattern: "/\\bpit-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b/" },
  {
    name: "Twilio auth token",
    pattern: "/TWILIO_AUTH_TOKEN(?:_NEXT)?[\"']?\\s*[:=]\\s*[\"']?[0-9a-f]{32}\\b/",
  },
  { name: "Twilio API key", pattern: "/TWILIO_API_KEY_SECRET[\"']?\\s*[:=]\\s*[\"']?[A-Za-z0-9]{32}\\b/" },
  { name: "Google client secret", pattern: "/\\bGOCSPX-[\\w-]{28}/" },
  { name: "Google refresh token", pattern: "/\\b1\\/\\/0[\\w-]{40,}/" },
  { name: "Google access token", pattern: "/\\bya29\\.[\\w-]{30,}/" },
  { name: "Google API key", pattern: "/\\bAIza[\\w-]{35}\\b/" },
  { name: "JSON web token", pattern: "/\\beyJ[\\w-]{15,}\\.eyJ[\\w-]{15,}\\.[\\w-]{20,}/" },
  { name: "Ed25519 private key", pattern: "/MC4CAQAwBQYDK2VwBCIEI[\\w+\\/]{42}/" },
  { name: "webhook key of the portal", pattern: "/\\bwhk_[\\w-]{43}/" },
  {
    name: "secret of the portal's environment",
    pattern:
      "/(?:SESSION_SECRET|ENCRYPTION_KEY|BACKUP_KEY|METRICS_TOKEN|POSTGRES_PASSWORD)(?:_PREVIOUS)?=[\\w+\\/=-]{24,}/",
  },
];

const config = {
  rules: [
    { id: "@secretlint/secretlint-rule-preset-recommend", rule: recommended },
    { id: "@secretlint/secretlint-rule-pattern", rule: pattern, options: { patterns } },
  ],
};

/** False positives by file and kind, with the reason. */
const allowed: Record<string, string> = {
  "apps/server/src/adapters/twilio/fallback.test.ts BasicAuth":
    "an address with a login that must be refused",
  "apps/server/src/adapters/twilio/media.test.ts BasicAuth": "an address with a login that must be refused",
  "apps/server/src/features/doctor/doctor.test.ts PostgreSQLConnection": "a login that must be masked",
  "apps/server/src/platform/db/start-fault.test.ts PostgreSQLConnection":
    "a wrong password that must not be shown",
};

/** The kinds of secrets in a text with their lines; never the secret itself. */
async function findIn(file: string, text: string): Promise<{ kind: string; line: number }[]> {
  const { messages } = await lintSource({
    source: { filePath: file, content: text, contentType: "text" },
    options: { config },
  });
  return messages.map(({ messageId, message, loc }) => {
    const name = patterns.find((each) => message.includes(each.name))?.name;
    return { kind: name ?? messageId, line: loc.start.line };
  });
}

it("no file of the repository contains a secret", async () => {
  const files = execFileSync("git", ["ls-files", "-coz", "--exclude-standard"], { cwd: root })
    .toString()
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)));
  const found: string[] = [];
  const used = new Set<string>();
  for (const file of files) {
    const bytes = readFileSync(join(root, file));
    if (bytes.includes(0)) continue;
    for (const { kind, line } of await findIn(file, bytes.toString("utf8"))) {
      if (`${file} ${kind}` in allowed) used.add(`${file} ${kind}`);
      else found.push(`${file}:${line} ${kind}`);
    }
  }
  expect(files.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
  expect(Object.keys(allowed).filter((each) => !used.has(each))).toEqual([]);
});

// Assembled here, so that this file contains no secret.
const hex = (length: number) => "0123456789abcdef".repeat(8).slice(0, length);
const letters = (length: number) => "aB3dE5gH7jK9mN1pQ".repeat(8).slice(0, length);
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const secrets: [string, string][] = [
  ["GoHighLevel private token", `pit-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ["Twilio auth token", `TWILIO_AUTH_TOKEN=${hex(32)}`],
  ["Twilio API key", `TWILIO_API_KEY_SECRET: "${letters(32)}"`],
  ["Google client secret", `GOCSPX-${letters(28)}`],
  ["Google refresh token", `1//0${letters(50)}`],
  ["Google access token", `ya29.${letters(60)}`],
  ["Google API key", `AIza${letters(35)}`],
  ["JSON web token", `eyJ${letters(20)}.eyJ${letters(40)}.${letters(43)}`],
  ["Ed25519 private key", `MC4CAQAwBQYDK2VwBCIEI${letters(42)}`],
  ["webhook key of the portal", `whk_${letters(43)}`],
  ["secret of the portal's environment", `ENCRYPTION_KEY=${letters(48)}`],
  ["PrivateKey", privateKey],
];

it.each(secrets)("%s is found in a file", async (kind, text) => {
  const found = await findIn("notes.md", `# Notes\n\n${text}\n`);
  expect(found.map((each) => each.kind)).toContain(kind);
  expect(found[0]?.line).toBe(3);
});
