import { readFileSync } from "node:fs";
import type { ProcessRole } from "@portal/contract/routes/health";
import type { EncryptionKeys } from "./domain/encryption.ts";
import { crossFaults, type MailServer, mailServerOf, type Variables, variablesSchema } from "./env-schema.ts";

/** Addresses and keys of the providers; a provider without keys is null and switched off. */
export interface ProviderEnv {
  twilio: {
    baseUrl: string;
    accountSid: string;
    /** Signs Twilio's webhooks; also the REST password if no API key is set. */
    authToken: string;
    /** During a rotation of the token: its replacement, or the token that it replaced. Otherwise null. */
    nextAuthToken: string | null;
    apiKeySid: string | null;
    apiKeySecret: string | null;
    /** The shared system number, E.164: caller id of calls and sender of SMS. */
    phoneNumber: string;
    /** The Messaging Service that sends SMS; null sends them from the system number. */
    messagingServiceSid: string | null;
    /** The address that Twilio requests in an outbound call if the portal does not respond; null ends the call. */
    callFallbackUrl: string | null;
    /** The fallback address that the system number must have at Twilio; null accepts any. */
    numberFallbackUrl: string | null;
    /** Calls per second that the account may start. */
    callsPerSecond: number;
    /** Hosts to which the download of a recording may be redirected, besides the base address's own. */
    recordingHosts: readonly string[];
  } | null;
  goHighLevel: {
    baseUrl: string;
    /** The private token; null if only the app is used. */
    token: string | null;
    /** The only location; null for the one in which the app is installed. */
    locationId: string | null;
    /** The portal as an app in HighLevel's marketplace; null without id and secret. */
    app: { clientId: string; clientSecret: string; authorizeUrl: string; tokenUrl: string } | null;
    /** Public key of its webhook signatures: Ed25519, SPKI in base64. */
    webhookKey: string;
  } | null;
  /** `baseUrl`: replaces Google's origins; null for Google itself. */
  google: { baseUrl: string | null; clientId: string; clientSecret: string } | null;
}

/** How users sign in. */
export interface SignInEnv {
  /** Whether local passwords are accepted; off only with a login provider. */
  localPasswords: boolean;
  /** The external login provider (OpenID Connect), or null. */
  provider: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    /** Its name for users. */
    name: string;
    /** Where users change their password there; null if not configured. */
    passwordPage: string | null;
  } | null;
}

/** The mail server and the sender. */
export interface MailEnv extends MailServer {
  /** Sender: an address, or a name with the address in angle brackets. */
  from: string;
}

/** Settings of push notifications. */
export interface PushEnv {
  /** Hosts of the browsers' push services; one that begins with a dot includes all its subdomains. */
  hosts: readonly string[];
  /** Origin of the sandbox's push service, outside production; null for none. */
  standIn: string | null;
  /** Contact for push services: an https or mailto address (RFC 8292 §2.1). */
  subject: string;
}

/** Where backups are stored, and how many are kept. */
export interface BackupEnv {
  /** Folder of scheduled backups; null disables the schedule. */
  folder: string | null;
  everyHours: number;
  /** How many of the newest are kept. */
  keep: number;
  /** The key that encrypts backups; null leaves them unencrypted. */
  key: string | null;
  /** The previous key, for reading older backups; null if the key was never changed. */
  previousKey: string | null;
}

/** A collector of traces (OTLP over HTTP). */
export interface TracesEnv {
  url: string;
  /** For example its key. */
  headers: Record<string, string>;
}

/** Everything the server reads from its environment, checked once before listening. */
export interface Env {
  production: boolean;
  demo: boolean;
  /** Where the sandbox receives the demo's history; null if the portal starts empty or uses real providers. */
  demoHistory: { sandboxUrl: string } | null;
  port: number;
  /** Port of the sandbox, outside production. */
  sandboxPort: number;
  host: string;
  databaseUrl: string;
  /** The same database without a pooler: for LISTEN, jobs, migrations and backups. */
  databaseDirectUrl: string;
  /** The same with the role that owns the schema; null if the portal's own role owns it. */
  databaseOwnerUrl: string | null;
  /** What this process does: serve requests, run jobs and schedules, or both. */
  roles: ProcessRole[];
  /** Origin under which browsers and providers reach the portal, without a trailing slash. */
  publicUrl: string;
  secure: boolean;
  /** Sign cookies; those signed with the previous secret are accepted too. */
  sessionSecrets: { current: string; previous: string | null };
  encryptionKeys: EncryptionKeys;
  backup: BackupEnv;
  adminEmail: string;
  orgTimeZone: string;
  /** Country of numbers without a prefix, ISO 3166. */
  defaultCountry: "US" | "ES";
  market: "US" | "ES" | "OPEN";
  trustProxyHops: number;
  officeLine: string | null;
  sessionIdleHours: number;
  sessionMaxDays: number;
  sessionsPerUser: number;
  /** Requests of each user that a process serves per minute. */
  userRequestsPerMinute: number;
  /** Limits of concurrent connections in each process. */
  open: {
    eventStreamsPerUser: number;
    eventStreams: number;
    /** Streamed responses: exports, whole lists, recordings. */
    downloadsPerUser: number;
    downloads: number;
  };
  /** How long a request waits for a database connection before it is refused. */
  databaseWaitMs: number;
  /** Requests are refused while the event loop is delayed by more than this. */
  maxEventLoopDelayMs: number;
  /** Token for Prometheus to read `/metrics`; null disables the route. */
  metricsToken: string | null;
  /** Where traces are sent; null disables tracing. */
  traces: TracesEnv | null;
  logLevel: string;
  signIn: SignInEnv;
  /** Mail server and sender; null if the portal sends no mail. */
  mail: MailEnv | null;
  push: PushEnv;
  /** If off, the portal's service worker unregisters itself in every browser. */
  portalWorker: boolean;
  providers: ProviderEnv;
}

/** Whether a proxy that handles https is not trusted, so that all users seem to have its address: the portal itself speaks http. */
export function isProxyUnknown({ secure, trustProxyHops }: Pick<Env, "secure" | "trustProxyHops">): boolean {
  return secure && trustProxyHops === 0;
}

/** Invalid or missing variables: every fault in one message. */
export class EnvError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The environment is not usable:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

/** Demo mode uses the sandbox for every provider without keys; production switches such a provider off. */
function twilioEnv(values: Variables, sandbox: string | null): ProviderEnv["twilio"] {
  const settings = {
    callsPerSecond: values.TWILIO_CPS,
    recordingHosts: values.TWILIO_RECORDING_HOSTS,
    nextAuthToken: values.TWILIO_AUTH_TOKEN_NEXT ?? null,
    callFallbackUrl: values.TWILIO_CALL_FALLBACK_URL ?? null,
    numberFallbackUrl: values.TWILIO_NUMBER_FALLBACK_URL ?? null,
    messagingServiceSid: values.TWILIO_MESSAGING_SERVICE_SID ?? null,
  };
  if (values.TWILIO_ACCOUNT_SID && values.TWILIO_AUTH_TOKEN && values.TWILIO_PHONE_NUMBER) {
    return {
      baseUrl: values.TWILIO_BASE_URL ?? "https://api.twilio.com",
      accountSid: values.TWILIO_ACCOUNT_SID,
      authToken: values.TWILIO_AUTH_TOKEN,
      apiKeySid: values.TWILIO_API_KEY_SID ?? null,
      apiKeySecret: values.TWILIO_API_KEY_SECRET ?? null,
      phoneNumber: values.TWILIO_PHONE_NUMBER,
      ...settings,
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
    ...settings,
    callFallbackUrl: settings.callFallbackUrl ?? `${sandbox}/bins/call-fallback`,
    numberFallbackUrl: settings.numberFallbackUrl ?? `${sandbox}/bins/number-fallback`,
  };
}

/** GoHighLevel's own key, from its Webhook Integration Guide, and the sandbox's. */
const ghlWebhookKey = "MCowBQYDK2VwAyEAi2HR1srL4o18O8BRa7gVJY7G7bupbN3H9AwJrHCDiOg=";
const sandboxWebhookKey = "MCowBQYDK2VwAyEA8INz2Yeck/hei5UIztZwyF84I9ZOhBXrXeYynJtGKWQ=";

/** The portal's app in the sandbox. */
const sandboxApp = {
  clientId: "65f0a1b2c3d4e5f601234567-sandbox",
  clientSecret: "sandbox-ghl-secret",
};

function goHighLevelEnv(values: Variables, sandbox: string | null): ProviderEnv["goHighLevel"] {
  const { GHL_CLIENT_ID: clientId, GHL_CLIENT_SECRET: clientSecret } = values;
  const isReal = Boolean((values.GHL_PRIVATE_TOKEN && values.GHL_LOCATION_ID) || (clientId && clientSecret));
  if (!isReal && !sandbox) return null;
  const own = sandbox !== null && !isReal;
  const baseUrl = values.GHL_BASE_URL ?? (own ? `${sandbox}/ghl` : "https://services.leadconnectorhq.com");
  const authorizeUrl =
    values.GHL_AUTHORIZE_URL ??
    (own
      ? `${sandbox}/ghl-marketplace/v2/oauth/chooselocation`
      : "https://marketplace.gohighlevel.com/v2/oauth/chooselocation");
  const tokenUrl = values.GHL_TOKEN_URL ?? `${baseUrl.replace(/\/+$/, "")}/oauth/token`;
  const webhookKey = values.GHL_WEBHOOK_PUBLIC_KEY ?? (own ? sandboxWebhookKey : ghlWebhookKey);
  const shared = { baseUrl, webhookKey };
  if (own)
    return {
      ...shared,
      token: "pit-sandbox-token",
      locationId: "loc0000000000000001",
      app: { ...sandboxApp, authorizeUrl, tokenUrl },
    };
  return {
    ...shared,
    token: values.GHL_PRIVATE_TOKEN ?? null,
    locationId: values.GHL_LOCATION_ID ?? null,
    app: clientId && clientSecret ? { clientId, clientSecret, authorizeUrl, tokenUrl } : null,
  };
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

/** A demo history needs the sandbox for both providers: a real one does not know the invented calls. */
function demoHistoryEnv({ twilio, goHighLevel }: ProviderEnv, sandbox: string | null): Env["demoHistory"] {
  const isSandbox = [twilio, goHighLevel].every(
    (provider) => sandbox && provider?.baseUrl.startsWith(sandbox),
  );
  return sandbox && isSandbox ? { sandboxUrl: sandbox } : null;
}

const fileEnding = "_FILE";

/** The environment with the contents of files for variables ending with `_FILE`, the way Docker and Kubernetes provide secrets. */
export function withFiles(given: Record<string, string | undefined>): {
  values: Record<string, string | undefined>;
  faults: string[];
} {
  const values = { ...given };
  const faults: string[] = [];
  for (const name of Object.keys(variablesSchema.shape)) {
    const file = given[name + fileEnding];
    if (file === undefined) continue;
    try {
      // An editor's final line break is not part of a secret.
      const content = readFileSync(file, "utf8").replace(/\r?\n$/, "");
      if (given[name] === undefined) values[name] = content;
      else faults.push(`${name}${fileEnding} and ${name} are both set: take one of them out`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      faults.push(`${name}${fileEnding} names a file that cannot be read (${code}): ${file}`);
    }
  }
  return { values, faults };
}

/**
 * Reads the environment, passed by the only reader of `process.env`. Each variable may instead name a file that contains it, with `_FILE`
 * appended to the variable's name. Errors: `EnvError` with every fault.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const { values: given, faults: fileFaults } = withFiles(
    Object.fromEntries(Object.entries(source).filter(([, value]) => value !== "")),
  );
  const production = given.NODE_ENV === "production";
  const parsed = variablesSchema.safeParse(given);
  const values = parsed.success ? parsed.data : (given as Partial<Variables>);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  faults.push(...fileFaults, ...crossFaults(values, production));
  if (!parsed.success || faults.length > 0) throw new EnvError(faults);

  const env = parsed.data;
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, "");
  const sandboxPort = env.SANDBOX_PORT ?? env.PORT + 1;
  const sandbox = production ? null : `http://127.0.0.1:${sandboxPort}`;
  const market = env.MARKET ?? (production ? "US" : "OPEN");
  const adminEmail = (env.ADMIN_EMAIL ?? "admin@portal.test").toLowerCase();
  const providers = {
    twilio: twilioEnv(env, sandbox),
    goHighLevel: goHighLevelEnv(env, sandbox),
    google: googleEnv(env, sandbox),
  };
  return {
    production,
    demo: !production,
    demoHistory: env.DEMO_HISTORY === "on" ? demoHistoryEnv(providers, sandbox) : null,
    port: env.PORT,
    sandboxPort,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? null,
    roles: env.ROLE,
    publicUrl,
    secure: publicUrl.startsWith("https:"),
    sessionSecrets: {
      current: env.SESSION_SECRET ?? "demo-only-session-secret-0123456789",
      previous: env.SESSION_SECRET_PREVIOUS ?? null,
    },
    encryptionKeys: {
      current: env.ENCRYPTION_KEY ?? "demo-only-encryption-key-0123456789",
      previous: env.ENCRYPTION_KEY_PREVIOUS ?? null,
    },
    backup: {
      folder: env.BACKUP_DIR ?? null,
      everyHours: env.BACKUP_EVERY_HOURS,
      keep: env.BACKUP_KEEP,
      key: env.BACKUP_KEY ?? null,
      previousKey: env.BACKUP_KEY_PREVIOUS ?? null,
    },
    adminEmail,
    orgTimeZone: env.ORG_TIME_ZONE,
    defaultCountry: env.DEFAULT_COUNTRY ?? (market === "ES" ? "ES" : "US"),
    market,
    trustProxyHops: env.TRUST_PROXY,
    officeLine: env.OFFICE_LINE ?? (production ? null : "+12125550199"),
    sessionIdleHours: env.SESSION_IDLE_HOURS,
    sessionMaxDays: env.SESSION_MAX_DAYS,
    sessionsPerUser: env.SESSIONS_PER_USER,
    userRequestsPerMinute: env.USER_REQUESTS_PER_MINUTE,
    open: {
      eventStreamsPerUser: env.EVENT_STREAMS_PER_USER,
      eventStreams: env.EVENT_STREAMS,
      downloadsPerUser: env.DOWNLOADS_PER_USER,
      downloads: env.DOWNLOADS,
    },
    databaseWaitMs: env.DATABASE_WAIT_MS,
    maxEventLoopDelayMs: env.MAX_EVENT_LOOP_DELAY_MS,
    metricsToken: env.METRICS_TOKEN ?? null,
    traces:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, "")}/v1/traces`,
            headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          },
    logLevel: env.LOG_LEVEL,
    signIn: signInEnv(env),
    mail: mailEnv(env),
    push: {
      hosts: env.PUSH_HOSTS,
      standIn: sandbox,
      subject: publicUrl.startsWith("https:") ? publicUrl : `mailto:${adminEmail}`,
    },
    portalWorker: env.PORTAL_WORKER === "on",
    providers,
  };
}
