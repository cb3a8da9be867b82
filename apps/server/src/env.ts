import { readFileSync } from "node:fs";
import type { ProcessRole } from "@portal/contract/routes/health";
import type { EncryptionKeys } from "./domain/encryption.ts";
import { crossFaults, type MailServer, mailServerOf, type Variables, variablesSchema } from "./env-schema.ts";

/** Where providers are reached and with which keys; null where a provider has none and is off. */
export interface ProviderEnv {
  twilio: {
    baseUrl: string;
    accountSid: string;
    /** Signs Twilio's webhooks; also the REST password where no API key is set. */
    authToken: string;
    /** While the token is rotated: the one that takes its place, or that it has taken the place of. Null otherwise. */
    nextAuthToken: string | null;
    apiKeySid: string | null;
    apiKeySecret: string | null;
    /** The shared system number, E.164: caller id of calls and texts. */
    phoneNumber: string;
    /** The Messaging Service that texts are sent through; null: from the system number. */
    messagingServiceSid: string | null;
    /** What Twilio asks in a call that we start where the portal does not answer; null: nothing, and the call ends. */
    callFallbackUrl: string | null;
    /** What the system number falls back to; null: any that is set there will do. */
    numberFallbackUrl: string | null;
    /** Calls the account may start in a second. */
    callsPerSecond: number;
    /** Hosts that the sound of a recording may be redirected to, beside the base address's own. */
    recordingHosts: readonly string[];
  } | null;
  goHighLevel: {
    baseUrl: string;
    /** The private token; null where the app alone is the way. */
    token: string | null;
    /** The only location; null for the one that the app is installed at. */
    locationId: string | null;
    /** The portal as an app of HighLevel's marketplace; null where it has no id and secret. */
    app: { clientId: string; clientSecret: string; authorizeUrl: string; tokenUrl: string } | null;
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

/** The mail server, and whom the portal's mail comes from. */
export interface MailEnv extends MailServer {
  /** Sender: an address, or a name with the address in angle brackets. */
  from: string;
}

/** Where push notifications go. */
export interface PushEnv {
  /** The browsers' push services: hosts, of which one that begins with a dot stands for all below it. */
  hosts: readonly string[];
  /** The origin of the stand-in, outside production; null for none. */
  standIn: string | null;
  /** Whom a push service can turn to: an address of https or mailto (RFC 8292 §2.1). */
  subject: string;
}

/** Where backups go, and how many stay. */
export interface BackupEnv {
  /** The folder of those that the schedule makes; null: it makes none. */
  folder: string | null;
  everyHours: number;
  /** So many of the newest stay. */
  keep: number;
  /** Backups are encrypted with it; null: they are not. */
  key: string | null;
  /** Backups made before the key was changed are read with it; null where it was not. */
  previousKey: string | null;
}

/** A collector of traces, by OTLP over HTTP. */
export interface TracesEnv {
  url: string;
  /** For example its key. */
  headers: Record<string, string>;
}

/** Everything the server reads from its environment, checked once before listening. */
export interface Env {
  production: boolean;
  demo: boolean;
  /** Where the sandbox takes the demo's history; null where the portal is to begin empty, or speaks to real providers. */
  demoHistory: { sandboxUrl: string } | null;
  port: number;
  /** Where the sandbox listens, outside production. */
  sandboxPort: number;
  host: string;
  databaseUrl: string;
  /** The same database past any pooler: for LISTEN, the jobs, migrations and backups. */
  databaseDirectUrl: string;
  /** The same with the role that owns the schema; null where the portal's own role does. */
  databaseOwnerUrl: string | null;
  /** What this process does: answers requests, works jobs and schedules, or both. */
  roles: ProcessRole[];
  /** Origin under which browsers and providers reach the portal, without a trailing slash. */
  publicUrl: string;
  secure: boolean;
  /** Signs cookies; those signed with the one before are taken too. */
  sessionSecrets: { current: string; previous: string | null };
  encryptionKeys: EncryptionKeys;
  backup: BackupEnv;
  adminEmail: string;
  orgTimeZone: string;
  /** Country that numbers without a prefix are read in, ISO 3166. */
  defaultCountry: "US" | "ES";
  market: "US" | "ES" | "OPEN";
  trustProxyHops: number;
  officeLine: string | null;
  sessionIdleHours: number;
  sessionMaxDays: number;
  sessionsPerUser: number;
  /** Requests of each user that a process answers in a minute. */
  userRequestsPerMinute: number;
  /** What browsers may hold open at once, in each process. */
  open: {
    eventStreamsPerUser: number;
    eventStreams: number;
    /** Answers that are sent piece by piece: exports, whole lists, recordings. */
    downloadsPerUser: number;
    downloads: number;
  };
  /** So long a request waits for a connection to the database before it is refused. */
  databaseWaitMs: number;
  /** Requests are refused for a moment where the process answers later than this. */
  maxEventLoopDelayMs: number;
  /** Prometheus reads `/metrics` with it; null: there is no such address. */
  metricsToken: string | null;
  /** Where traces are sent; null: nothing is traced. */
  traces: TracesEnv | null;
  logLevel: string;
  signIn: SignInEnv;
  /** Where mail is handed in, and whom it comes from; null where the portal sends none. */
  mail: MailEnv | null;
  push: PushEnv;
  /** Off: the portal's service worker takes itself away from every browser. */
  portalWorker: boolean;
  providers: ProviderEnv;
}

/** Whether a proxy takes the https in front of the portal, and the portal takes its address for everybody's: it speaks http itself. */
export function isProxyUnknown({ secure, trustProxyHops }: Pick<Env, "secure" | "trustProxyHops">): boolean {
  return secure && trustProxyHops === 0;
}

/** Bad or missing environment: every fault in one message. */
export class EnvError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The environment is not usable:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

/** Demo mode talks to the sandbox for every provider without keys; production switches such a provider off. */
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

/** The portal's app at the sandbox. */
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

/** A made-up past needs the sandbox as its provider: a real one knows nothing of its calls. */
function demoHistoryEnv({ twilio, goHighLevel }: ProviderEnv, sandbox: string | null): Env["demoHistory"] {
  const isSandbox = [twilio, goHighLevel].every(
    (provider) => sandbox && provider?.baseUrl.startsWith(sandbox),
  );
  return sandbox && isSandbox ? { sandboxUrl: sandbox } : null;
}

const fileEnding = "_FILE";

/** The environment with the contents of files in place of the variables that name them, as Docker and Kubernetes hand in secrets. */
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
      // An editor's last line break is no part of a secret.
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
 * Reads the environment; the sole reader of `process.env` hands it in. Each variable may also be given by the name of a file that holds it,
 * with `_FILE` at its name's end.
 * Errors: `EnvError` with every fault.
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
