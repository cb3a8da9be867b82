import { createPublicKey } from "node:crypto";
import { processRoles } from "@portal/contract/routes/health";
import { z } from "zod";

/** A mail server (SMTP) for the portal's outgoing mail. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte (smtps) instead of STARTTLS. */
  secure: boolean;
  login: { user: string; password: string } | null;
}

const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/, "must be a number like +12125550100");
const url = z.url({ protocol: /^https?$/, error: "must be an address like https://portal.example.com" });
const secret = z.string().min(32, "must have at least 32 characters");
const openCount = z.coerce.number({ error: "must be a whole number" }).int().min(1).max(100_000);
const port = z.coerce.number({ error: "must be a port number" }).int().min(1).max(65_535);
const hosts = z
  .string()
  .transform((list) => list.split(",").map((host) => host.trim().toLowerCase()))
  .refine(
    (list) => list.every((host) => /^\.?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(host)),
    "must be host names separated by commas, like media.example.com,.cdn.example.com",
  );

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** Parses the address of a mail server, for example smtps://user:password@mail.example.com; null if it is invalid. */
export function mailServerOf(value: string): MailServer | null {
  if (!URL.canParse(value)) return null;
  const { protocol, hostname, port, username, password } = new URL(value);
  const secure = protocol === "smtps:";
  if (!(secure || protocol === "smtp:") || !hostname) return null;
  const login = username
    ? { user: decodeURIComponent(username), password: decodeURIComponent(password) }
    : null;
  return { host: hostname, port: Number(port) || (secure ? 465 : 587), secure, login };
}

const sender = /^(?:[^<>\r\n"]{1,100} <([^<>\s]+)>|([^<>\s]+))$/;

function isSender(value: string): boolean {
  const [, inBrackets, alone] = sender.exec(value) ?? [];
  return z.email().safeParse(inBrackets ?? alone).success;
}

function isPublicKey(value: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(value, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
}

/** Every variable that the server reads, with its default; `.env.example` lists the same. */
export const variablesSchema = z.object({
  NODE_ENV: z.string().optional(),
  PORT: port.default(5000),
  HOST: z.string().default("127.0.0.1"),
  DATABASE_URL: z
    .string({ error: "is missing: an address like postgresql://user:password@host/portal" })
    .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://"),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://")
    .optional(),
  DATABASE_OWNER_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://")
    .optional(),
  ROLE: z
    .string()
    .default("web,worker")
    .transform((list) => list.split(",").map((role) => role.trim()))
    .pipe(z.array(z.enum(processRoles, "must be web, worker or web,worker")).min(1)),
  PUBLIC_URL: url.optional(),
  SESSION_SECRET: secret.optional(),
  SESSION_SECRET_PREVIOUS: secret.optional(),
  ENCRYPTION_KEY: secret.optional(),
  ENCRYPTION_KEY_PREVIOUS: secret.optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY_HOURS: z.coerce.number().positive().max(168, "must be at most 168, a week").default(24),
  BACKUP_KEEP: z.coerce.number({ error: "must be a whole number" }).int().min(1).max(1_000).default(14),
  BACKUP_KEY: secret.optional(),
  BACKUP_KEY_PREVIOUS: secret.optional(),
  ADMIN_EMAIL: z.email("must be an email address").optional(),
  ORG_TIME_ZONE: z
    .string()
    .default("America/New_York")
    .refine(isTimeZone, "must be a time zone like America/New_York"),
  DEMO_HISTORY: z.enum(["on", "off"], "must be on or off").default("on"),
  DEFAULT_COUNTRY: z.enum(["US", "ES"]).optional(),
  MARKET: z.enum(["US", "ES", "OPEN"]).optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  OFFICE_LINE: e164.optional(),
  SANDBOX_PORT: port.optional(),
  SESSION_IDLE_HOURS: z.coerce.number().positive().max(168).default(8),
  USER_REQUESTS_PER_MINUTE: z.coerce
    .number({ error: "must be a whole number" })
    .int()
    .min(60)
    .max(10_000_000)
    .default(120_000),
  EVENT_STREAMS_PER_USER: openCount.default(10),
  EVENT_STREAMS: openCount.default(3_000),
  DOWNLOADS_PER_USER: openCount.default(50),
  DOWNLOADS: openCount.default(500),
  DATABASE_WAIT_MS: z.coerce.number().int().positive().default(2_000),
  MAX_EVENT_LOOP_DELAY_MS: z.coerce.number().int().positive().default(3_000),
  SESSIONS_PER_USER: z.coerce.number({ error: "must be a whole number" }).int().min(1).max(1_000).default(20),
  SESSION_MAX_DAYS: z.coerce.number().positive().max(90).default(7),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform((list) => list.split(",").map((pair) => pair.trim().split("=")))
    .refine(
      (pairs) => pairs.every(([name, value]) => name && value),
      "must be like authorization=Bearer%20token,x-tenant=portal",
    )
    .transform((pairs) =>
      Object.fromEntries(pairs.map(([name = "", ...rest]) => [name, decodeURIComponent(rest.join("="))])),
    )
    .optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  OIDC_ISSUER: url.optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_NAME: z.string().trim().min(1).max(60, "must have at most 60 characters").optional(),
  OIDC_PASSWORD_PAGE: url.optional(),
  LOCAL_PASSWORDS: z.enum(["on", "off"], "must be on or off").default("on"),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, "must be AC and 32 hexadecimal digits")
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  TWILIO_AUTH_TOKEN_NEXT: z.string().min(1).optional(),
  TWILIO_CALL_FALLBACK_URL: url.optional(),
  TWILIO_NUMBER_FALLBACK_URL: url.optional(),
  TWILIO_MESSAGING_SERVICE_SID: z
    .string()
    .regex(/^MG[0-9a-f]{32}$/, "must be MG and 32 hexadecimal digits")
    .optional(),
  TWILIO_API_KEY_SID: z
    .string()
    .regex(/^SK[0-9a-f]{32}$/, "must be SK and 32 hexadecimal digits")
    .optional(),
  TWILIO_API_KEY_SECRET: z.string().min(1).optional(),
  TWILIO_PHONE_NUMBER: e164.optional(),
  TWILIO_BASE_URL: url.optional(),
  TWILIO_RECORDING_HOSTS: hosts.default([
    ".twilio.com",
    ".twiliocdn.com",
    "s3.amazonaws.com",
    "s3-external-1.amazonaws.com",
  ]),
  TWILIO_CPS: z.coerce.number().positive().max(1000).default(1),
  GHL_PRIVATE_TOKEN: z.string().min(1).optional(),
  GHL_LOCATION_ID: z.string().min(1).optional(),
  GHL_BASE_URL: url.optional(),
  GHL_CLIENT_ID: z.string().min(1).optional(),
  GHL_CLIENT_SECRET: z.string().min(1).optional(),
  GHL_AUTHORIZE_URL: url.optional(),
  GHL_TOKEN_URL: url.optional(),
  GHL_WEBHOOK_PUBLIC_KEY: z
    .string()
    .refine(isPublicKey, "must be an Ed25519 public key (SPKI in base64)")
    .optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_BASE_URL: url.optional(),
  SMTP_URL: z
    .string()
    .refine(
      (value) => mailServerOf(value) !== null,
      "must be an address like smtps://user:password@mail.example.com",
    )
    .optional(),
  PUSH_HOSTS: hosts.default([
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
  ]),
  PORTAL_WORKER: z.enum(["on", "off"], "must be on or off").default("on"),
  MAIL_FROM: z.string().refine(isSender, "must be like Lead Desk <portal@example.com>").optional(),
});

export type Variables = z.infer<typeof variablesSchema>;

/** Variables that belong together: all of a group must be set or none. */
const groups: (keyof Variables)[][] = [
  ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_PHONE_NUMBER"],
  ["TWILIO_API_KEY_SID", "TWILIO_API_KEY_SECRET"],
  ["GHL_CLIENT_ID", "GHL_CLIENT_SECRET"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["SMTP_URL", "MAIL_FROM"],
];

/** Secrets that can be rotated: the previous one, or already the next one, is accepted too. */
const rotated = ["SESSION_SECRET", "ENCRYPTION_KEY", "BACKUP_KEY"] as const;

/** Twilio's optional variables, which mean nothing without its keys. */
const twilioExtras = [
  "TWILIO_AUTH_TOKEN_NEXT",
  "TWILIO_MESSAGING_SERVICE_SID",
  "TWILIO_CALL_FALLBACK_URL",
  "TWILIO_NUMBER_FALLBACK_URL",
] as const;

/** Faults that concern several variables: incomplete groups, and what production requires. */
export function crossFaults(values: Partial<Variables>, production: boolean): string[] {
  const faults = groups.flatMap((group) => {
    const missing = group.filter((name) => values[name] === undefined);
    if (missing.length === 0 || missing.length === group.length) return [];
    return missing.map(
      (name) => `${name} is missing: it belongs to ${group.filter((n) => n !== name).join(", ")}`,
    );
  });
  for (const name of rotated) {
    const previous = values[`${name}_PREVIOUS`];
    if (previous === undefined) continue;
    if (values[name] === undefined) faults.push(`${name} is missing: it belongs to ${name}_PREVIOUS`);
    if (values[name] === previous)
      faults.push(`${name}_PREVIOUS is the same as ${name}: take it out, or set the key before`);
  }
  if (values.GHL_PRIVATE_TOKEN !== undefined && values.GHL_LOCATION_ID === undefined)
    faults.push("GHL_LOCATION_ID is missing: it belongs to GHL_PRIVATE_TOKEN");
  if (values.GHL_LOCATION_ID !== undefined && !values.GHL_PRIVATE_TOKEN && !values.GHL_CLIENT_ID)
    faults.push("GHL_PRIVATE_TOKEN is missing: it belongs to GHL_LOCATION_ID (or GHL_CLIENT_ID does)");
  if (values.LOCAL_PASSWORDS === "off" && !values.OIDC_ISSUER)
    faults.push("LOCAL_PASSWORDS cannot be off without a login provider (OIDC_ISSUER): nobody could sign in");
  if (!production) return faults;
  if (!values.TWILIO_ACCOUNT_SID)
    faults.push(
      ...twilioExtras
        .filter((name) => values[name] !== undefined)
        .map((name) => `${name} is of no use without TWILIO_ACCOUNT_SID`),
    );
  if (values.OIDC_ISSUER?.startsWith("http:"))
    faults.push("OIDC_ISSUER must begin with https:// in production");
  const required = ["PUBLIC_URL", "SESSION_SECRET", "ENCRYPTION_KEY", "ADMIN_EMAIL"] as const;
  return [
    ...faults,
    ...required
      .filter((name) => values[name] === undefined)
      .map((name) => `${name} is missing: required in production`),
  ];
}
