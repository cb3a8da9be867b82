import type { DoctorCheck } from "./check-sections.ts";

type Source = Record<string, string | undefined>;

/** Settings whose value is not secret. All others are only reported as set, so that a future setting is masked too. */
const shown = new Set([
  ...[
    "NODE_ENV",
    "ROLE",
    "PORT",
    "HOST",
    "PUBLIC_URL",
    "TRUST_PROXY",
    "LOG_LEVEL",
    "MAX_EVENT_LOOP_DELAY_MS",
    "DATABASE_WAIT_MS",
  ],
  ...["ORG_TIME_ZONE", "MARKET", "DEFAULT_COUNTRY", "DEMO_HISTORY", "PORTAL_WORKER", "SANDBOX_PORT"],
  ...["BACKUP_DIR", "BACKUP_EVERY_HOURS", "BACKUP_KEEP"],
  ...[
    "SESSION_IDLE_HOURS",
    "SESSIONS_PER_USER",
    "SESSION_MAX_DAYS",
    "LOCAL_PASSWORDS",
    "OIDC_ISSUER",
    "OIDC_NAME",
  ],
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "USER_REQUESTS_PER_MINUTE",
  ...["EVENT_STREAMS_PER_USER", "EVENT_STREAMS", "DOWNLOADS_PER_USER", "DOWNLOADS"],
  ...[
    "TWILIO_CPS",
    "TWILIO_RECORDING_HOSTS",
    "PUSH_HOSTS",
    "SMTP_URL",
    "DATABASE_URL",
    "DATABASE_DIRECT_URL",
    "DATABASE_OWNER_URL",
  ],
  ...["TWILIO_BASE_URL", "GHL_BASE_URL", "GHL_TOKEN_URL", "GOOGLE_BASE_URL"],
]);

/** An address without credentials: no user, password, query or fragment. */
function withoutLogin(value: string): string {
  if (!URL.canParse(value)) return value.includes("://") ? "set, and cannot be read" : value;
  const { protocol, host, pathname, searchParams } = new URL(value);
  const address = `${protocol}//${host || (searchParams.get("host") ?? "")}${pathname}`;
  const tls = searchParams.get("sslmode");
  return tls ? `${address}?sslmode=${tls}` : address;
}

/**
 * The settings with these names that are set, with their values if these are not secret. `source`: the environment, without the contents of
 * files.
 */
export function listSettings(names: readonly string[], source: Source): DoctorCheck[] {
  return names.flatMap((name): DoctorCheck[] => {
    const value = source[name];
    const isFile = Boolean(source[`${name}_FILE`]);
    if (!value && !isFile) return [];
    const text = shown.has(name) && value ? withoutLogin(value) : isFile ? "set, by a file" : "set";
    return [{ name, status: "info", text }];
  });
}

function decoded(text: string): string[] {
  try {
    return [text, decodeURIComponent(text)];
  } catch {
    return [text];
  }
}

/** Passwords inside an address. */
function secretsOfAddress(value: string): string[] {
  if (!URL.canParse(value)) return value.includes("://") ? [value] : [];
  const { username, password, searchParams } = new URL(value);
  const asked = ["password", "user", "sslpassword"].flatMap((name) => searchParams.get(name) ?? []);
  return [username && password ? `${username}:${password}` : "", ...decoded(password), ...asked];
}

/** Values that must not be printed. `values`: the environment, with the contents of files in place of their variables. */
export function listSecrets(names: readonly string[], values: Source): string[] {
  const found = names.flatMap((name) => {
    const value = values[name];
    if (!value) return [];
    return shown.has(name) ? secretsOfAddress(value) : [value, ...secretsOfAddress(value)];
  });
  return [...new Set(found.filter(({ length }) => length >= 4))].sort((a, b) => b.length - a.length);
}

const email = /[\w.+%-]+@[\w-]+(\.[\w-]+)+/g;
const phone = /\+\d{7,15}|\(\d{3}\) ?\d{3}-\d{4}/g;

/** Masks secrets, email addresses and phone numbers, which an error may quote. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const masked = secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text);
  return masked.replaceAll(email, "***@***").replaceAll(phone, "***");
}
