import { createPublicKey } from "node:crypto";
import { z } from "zod";

/** Where providers are reached and with which keys; null where a provider has none and is off. */
export interface ProviderEnv {
  twilio: {
    baseUrl: string;
    accountSid: string;
    /** Signs Twilio's webhooks; also the REST password where no API key is set. */
    authToken: string;
    apiKeySid: string | null;
    apiKeySecret: string | null;
    /** The shared system number, E.164: caller id of calls and texts. */
    phoneNumber: string;
    /** Calls the account may start in a second. */
    callsPerSecond: number;
  } | null;
  goHighLevel: {
    baseUrl: string;
    token: string;
    locationId: string;
    /** Its webhooks are signed by the private half: Ed25519, SPKI in base64. */
    webhookKey: string;
  } | null;
  /** `baseUrl`: origin in Google's place; null for Google itself. */
  google: { baseUrl: string | null; clientId: string; clientSecret: string } | null;
}

/** How people sign in. */
export interface SignInEnv {
  /** Whether passwords kept here are taken; off only where there is a login provider. */
  localPasswords: boolean;
  /** The external login provider (OpenID Connect), or null. */
  provider: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    /** What people call it. */
    name: string;
    /** Where people change their password there; null where nobody said. */
    passwordPage: string | null;
  } | null;
}

/** A mail server (SMTP) that takes the portal's mail. */
export interface MailEnv {
  host: string;
  port: number;
  /** TLS from the first byte (smtps), not by STARTTLS. */
  secure: boolean;
  login: { user: string; password: string } | null;
  /** Sender: an address, or a name with the address in angle brackets. */
  from: string;
}

/** Everything the server reads from its environment, checked once before listening. */
export interface Env {
  production: boolean;
  demo: boolean;
  port: number;
  host: string;
  databaseUrl: string;
  /** Origin under which browsers and providers reach the portal, without a trailing slash. */
  publicUrl: string;
  secure: boolean;
  sessionSecret: string;
  encryptionKey: string;
  adminEmail: string;
  orgTimeZone: string;
  /** Country that numbers without a prefix are read in, ISO 3166. */
  defaultCountry: "US" | "ES";
  market: "US" | "ES" | "OPEN";
  trustProxyHops: number;
  officeLine: string | null;
  sessionIdleHours: number;
  sessionMaxDays: number;
  logLevel: string;
  signIn: SignInEnv;
  /** Where mail is handed in, and whom it comes from; null where the portal sends none. */
  mail: MailEnv | null;
  providers: ProviderEnv;
}

/** Bad or missing environment: every fault in one message. */
export class EnvError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The environment is not usable:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/, "must be a number like +12125550100");
const url = z.url({ protocol: /^https?$/, error: "must be an address like https://portal.example.com" });
const port = z.coerce.number({ error: "must be a port number" }).int().min(1).max(65_535);

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

function mailServerOf(value: string): Omit<MailEnv, "from"> | null {
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

const schema = z.object({
  NODE_ENV: z.string().optional(),
  PORT: port.default(5000),
  HOST: z.string().default("127.0.0.1"),
  DATABASE_URL: z
    .string({ error: "is missing: an address like postgresql://user:password@host/portal" })
    .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://"),
  PUBLIC_URL: url.optional(),
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  ENCRYPTION_KEY: z.string().min(32, "must have at least 32 characters").optional(),
  ADMIN_EMAIL: z.email("must be an e-mail address").optional(),
  ORG_TIME_ZONE: z
    .string()
    .default("America/New_York")
    .refine(isTimeZone, "must be a time zone like America/New_York"),
  DEFAULT_COUNTRY: z.enum(["US", "ES"]).optional(),
  MARKET: z.enum(["US", "ES", "OPEN"]).optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  OFFICE_LINE: e164.optional(),
  SANDBOX_PORT: port.optional(),
  SESSION_IDLE_HOURS: z.coerce.number().positive().max(168).default(8),
  SESSION_MAX_DAYS: z.coerce.number().positive().max(90).default(7),
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
  TWILIO_API_KEY_SID: z
    .string()
    .regex(/^SK[0-9a-f]{32}$/, "must be SK and 32 hexadecimal digits")
    .optional(),
  TWILIO_API_KEY_SECRET: z.string().min(1).optional(),
  TWILIO_PHONE_NUMBER: e164.optional(),
  TWILIO_BASE_URL: url.optional(),
  TWILIO_CPS: z.coerce.number().positive().max(1000).default(1),
  GHL_PRIVATE_TOKEN: z.string().min(1).optional(),
  GHL_LOCATION_ID: z.string().min(1).optional(),
  GHL_BASE_URL: url.optional(),
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
  MAIL_FROM: z.string().refine(isSender, "must be like Lead Desk <portal@example.com>").optional(),
});

type Variables = z.infer<typeof schema>;

/** Providers that share their keys: all of a group or none. */
const groups: (keyof Variables)[][] = [
  ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_PHONE_NUMBER"],
  ["TWILIO_API_KEY_SID", "TWILIO_API_KEY_SECRET"],
  ["GHL_PRIVATE_TOKEN", "GHL_LOCATION_ID"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["SMTP_URL", "MAIL_FROM"],
];

function crossFaults(values: Partial<Variables>, production: boolean): string[] {
  const faults = groups.flatMap((group) => {
    const missing = group.filter((name) => values[name] === undefined);
    if (missing.length === 0 || missing.length === group.length) return [];
    return missing.map(
      (name) => `${name} is missing: it belongs to ${group.filter((n) => n !== name).join(", ")}`,
    );
  });
  if (values.LOCAL_PASSWORDS === "off" && !values.OIDC_ISSUER)
    faults.push("LOCAL_PASSWORDS cannot be off without a login provider (OIDC_ISSUER): nobody could sign in");
  if (!production) return faults;
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

/** Demo mode talks to the sandbox for every provider without keys; production switches such a provider off. */
function twilioEnv(values: Variables, sandbox: string | null): ProviderEnv["twilio"] {
  const callsPerSecond = values.TWILIO_CPS;
  if (values.TWILIO_ACCOUNT_SID && values.TWILIO_AUTH_TOKEN && values.TWILIO_PHONE_NUMBER) {
    return {
      baseUrl: values.TWILIO_BASE_URL ?? "https://api.twilio.com",
      accountSid: values.TWILIO_ACCOUNT_SID,
      authToken: values.TWILIO_AUTH_TOKEN,
      apiKeySid: values.TWILIO_API_KEY_SID ?? null,
      apiKeySecret: values.TWILIO_API_KEY_SECRET ?? null,
      phoneNumber: values.TWILIO_PHONE_NUMBER,
      callsPerSecond,
    };
  }
  if (!sandbox) return null;
  return {
    baseUrl: values.TWILIO_BASE_URL ?? `${sandbox}/twilio`,
    accountSid: `AC${"1".padStart(32, "0")}`,
    authToken: "sandbox-auth-token",
    apiKeySid: null,
    apiKeySecret: null,
    phoneNumber: "+12125550100",
    callsPerSecond,
  };
}

/** GoHighLevel's own key, from its Webhook Integration Guide, and the sandbox's. */
const ghlWebhookKey = "MCowBQYDK2VwAyEAi2HR1srL4o18O8BRa7gVJY7G7bupbN3H9AwJrHCDiOg=";
const sandboxWebhookKey = "MCowBQYDK2VwAyEA8INz2Yeck/hei5UIztZwyF84I9ZOhBXrXeYynJtGKWQ=";

function goHighLevelEnv(values: Variables, sandbox: string | null): ProviderEnv["goHighLevel"] {
  if (values.GHL_PRIVATE_TOKEN && values.GHL_LOCATION_ID) {
    const baseUrl = values.GHL_BASE_URL ?? "https://services.leadconnectorhq.com";
    const webhookKey = values.GHL_WEBHOOK_PUBLIC_KEY ?? ghlWebhookKey;
    return { baseUrl, token: values.GHL_PRIVATE_TOKEN, locationId: values.GHL_LOCATION_ID, webhookKey };
  }
  if (!sandbox) return null;
  const baseUrl = values.GHL_BASE_URL ?? `${sandbox}/ghl`;
  const webhookKey = values.GHL_WEBHOOK_PUBLIC_KEY ?? sandboxWebhookKey;
  return { baseUrl, token: "pit-sandbox-token", locationId: "loc0000000000000001", webhookKey };
}

function googleEnv(values: Variables, sandbox: string | null): ProviderEnv["google"] {
  const origin = values.GOOGLE_BASE_URL?.replace(/\/+$/, "") ?? null;
  if (values.GOOGLE_CLIENT_ID && values.GOOGLE_CLIENT_SECRET)
    return { baseUrl: origin, clientId: values.GOOGLE_CLIENT_ID, clientSecret: values.GOOGLE_CLIENT_SECRET };
  if (!sandbox) return null;
  return {
    baseUrl: origin ?? sandbox,
    clientId: "sandbox.apps.googleusercontent.com",
    clientSecret: "sandbox-google-secret",
  };
}

function signInEnv(values: Variables): SignInEnv {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  const localPasswords = values.LOCAL_PASSWORDS === "on";
  if (!issuer || !clientId || !clientSecret) return { localPasswords, provider: null };
  const name = values.OIDC_NAME ?? new URL(issuer).hostname;
  const passwordPage = values.OIDC_PASSWORD_PAGE ?? null;
  return { localPasswords, provider: { issuer, clientId, clientSecret, name, passwordPage } };
}

function mailEnv({ SMTP_URL, MAIL_FROM }: Variables): MailEnv | null {
  const server = SMTP_URL === undefined ? null : mailServerOf(SMTP_URL);
  return server && MAIL_FROM !== undefined ? { ...server, from: MAIL_FROM } : null;
}

/**
 * Reads the environment; the sole reader of `process.env` hands it in.
 * Errors: `EnvError` with every fault.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const production = given.NODE_ENV === "production";
  const parsed = schema.safeParse(given);
  const values = parsed.success ? parsed.data : (given as Partial<Variables>);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  faults.push(...crossFaults(values, production));
  if (!parsed.success || faults.length > 0) throw new EnvError(faults);

  const env = parsed.data;
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, "");
  const sandbox = production ? null : `http://127.0.0.1:${env.SANDBOX_PORT ?? env.PORT + 1}`;
  const market = env.MARKET ?? (production ? "US" : "OPEN");
  return {
    production,
    demo: !production,
    port: env.PORT,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    publicUrl,
    secure: publicUrl.startsWith("https:"),
    sessionSecret: env.SESSION_SECRET ?? "demo-only-session-secret-0123456789",
    encryptionKey: env.ENCRYPTION_KEY ?? "demo-only-encryption-key-0123456789",
    adminEmail: (env.ADMIN_EMAIL ?? "admin@portal.test").toLowerCase(),
    orgTimeZone: env.ORG_TIME_ZONE,
    defaultCountry: env.DEFAULT_COUNTRY ?? (market === "ES" ? "ES" : "US"),
    market,
    trustProxyHops: env.TRUST_PROXY,
    officeLine: env.OFFICE_LINE ?? (production ? null : "+12125550199"),
    sessionIdleHours: env.SESSION_IDLE_HOURS,
    sessionMaxDays: env.SESSION_MAX_DAYS,
    logLevel: env.LOG_LEVEL,
    signIn: signInEnv(env),
    mail: mailEnv(env),
    providers: {
      twilio: twilioEnv(env, sandbox),
      goHighLevel: goHighLevelEnv(env, sandbox),
      google: googleEnv(env, sandbox),
    },
  };
}
