/** Failures of the driver (pg, pg-pool) that PostgreSQL itself does not report. */
export type DriverFault = "no-answer" | "no-connection" | "lost" | "closed" | "no-tls" | "no-password";

/**
 * The driver gives these errors neither a code nor a class, so they are recognised by the beginning of their text. Only this file does so,
 * and the test provokes each of them, so that a driver version with other texts is noticed.
 */
const beginnings: [string, DriverFault][] = [
  ["Query read timeout", "no-answer"],
  ["timeout exceeded when trying to connect", "no-connection"],
  ["timeout expired", "no-connection"],
  ["Connection terminated", "lost"],
  ["Client has encountered a connection error and is not queryable", "lost"],
  ["Client was closed and is not queryable", "lost"],
  ["Cannot use a pool after calling end on the pool", "closed"],
  ["The server does not support SSL connections", "no-tls"],
  ["SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a", "no-password"],
];

/** The driver fault of an error or of one of its causes; null for any other error. */
export function driverFault(error: unknown): DriverFault | null {
  if (!(error instanceof Error)) return null;
  const { message, cause } = error;
  const found = beginnings.find(([text]) => message.startsWith(text));
  return found ? found[1] : driverFault(cause);
}

/** The oldest PostgreSQL version that supports the statements. */
const oldestServer = 15;

/** A start that fails because of the database; the message says what to do. */
export class StartFault extends Error {
  /** Whether the same start may succeed in a moment: the database is down, or starting. */
  readonly passes: boolean;
  constructor(message: string, { passes = false }: { passes?: boolean } = {}) {
    super(message);
    this.passes = passes;
  }
}

interface Address {
  /** Host and port, or the folder of the socket. */
  server: string;
  role: string;
  database: string;
}

/** Parts of a database's address, without its password. */
export function addressOf(url: string): Address {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  return {
    server: host.startsWith("/") ? host : `${host || "localhost"}:${port || 5432}`,
    role: decodeURIComponent(searchParams.get("user") ?? username) || "(none named)",
    database: decodeURIComponent(pathname.slice(1)) || "(none named)",
  };
}

const down =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|EAI_AGAIN|57P0[123]|53300|08006)$/;
const untrusted =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_UNTRUSTED)$/;

type Link = Error & { code?: string; syscall?: string; path?: string };

/** An error and its causes, the outermost first. */
function chainOf(error: unknown): Link[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : [];
}

function describe(link: Link, address: Address) {
  const { code = "", message, syscall, path } = link;
  const { server, role, database } = address;
  const fault = driverFault(link);
  if (code === "ENOENT" && syscall === "open")
    return `DATABASE_URL names a certificate that is not there: ${path}. Correct sslrootcert, sslcert or sslkey.`;
  if (code === "EACCES" && syscall === "open")
    return `DATABASE_URL names a certificate that the portal may not read: ${path}. Let its account read the file.`;
  if (code === "ENOTFOUND")
    return `Nobody knows the host of the database, ${server}. Correct the host in DATABASE_URL, or its entry in the DNS.`;
  if (untrusted.test(code))
    return `The certificate of the database at ${server} is not from an authority that this machine knows (${code}). Name the authority's certificate in DATABASE_URL: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem.`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `The certificate of the database is for another host than ${server}. Connect by the name that it is made out for, or add uselibpqcompat=true&sslmode=verify-ca with sslrootcert to DATABASE_URL.`;
  if (code === "CERT_HAS_EXPIRED")
    return `The certificate of the database at ${server} has expired. Have it renewed.`;
  if (fault === "no-tls")
    return `The database at ${server} takes no TLS. Switch it on there, or take sslmode out of DATABASE_URL where the way to it is safe.`;
  if (code === "28P01" || fault === "no-password")
    return `The database at ${server} refuses the password of the role "${role}". Correct it in DATABASE_URL; characters like @, / and # are percent-encoded there.`;
  if (code === "28000")
    return `The database at ${server} does not let the role "${role}" in: ${message}. Correct DATABASE_URL, or the server's roles and pg_hba.conf.`;
  if (code === "3D000")
    return `There is no database "${database}" at ${server}. Make it (createdb -O ${role} ${database}), or correct DATABASE_URL.`;
  if (code === "42501")
    return `The role "${role}" may not set the database "${database}" up: ${message}. As its owner: GRANT CREATE ON DATABASE "${database}" TO "${role}"; GRANT CREATE, USAGE ON SCHEMA public TO "${role}". Where another role owns the schema, name it in DATABASE_OWNER_URL, or run npm run db:migrate with it.`;
  if (code === "58P01" || code === "0A000")
    return `The server at ${server} lacks an extension: ${message}. Install PostgreSQL's contrib package there.`;
  if (code === "08P01")
    return `What answers at ${server} does not take the portal's settings: ${message}. A connection pooler needs what docs/operations.md says under "A connection pooler".`;
  return null;
}

/** A sentence about a database error for the person who starts the portal; null for other errors. */
export function startFaultOf(error: unknown, url: string): StartFault | null {
  if (error instanceof StartFault) return error;
  const chain = chainOf(error);
  if (chain.some(({ code }) => code === "ERR_INVALID_URL") || !URL.canParse(url))
    return new StartFault(
      "DATABASE_URL cannot be read. It is postgresql://role:password@host:5432/database; characters like @, / and # are percent-encoded in the password.",
    );
  const address = addressOf(url);
  for (const link of chain) {
    const message = describe(link, address);
    if (message) return new StartFault(message);
    const { code = "", message: text, syscall } = link;
    const isUnanswered = driverFault(link) !== null;
    if (down.test(code) || isUnanswered || (code === "ENOENT" && syscall === "connect")) {
      const why = code || text;
      return new StartFault(
        `The database at ${address.server} does not answer (${why}). Start it, or correct DATABASE_URL.`,
        { passes: true },
      );
    }
  }
  return null;
}

/** Throws `StartFault` if the server is older than required. `version`: `server_version_num`. */
export function checkServerVersion(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major < oldestServer)
    throw new StartFault(
      `The database is PostgreSQL ${major}; the portal needs ${oldestServer} or newer. Upgrade the server, or name another in DATABASE_URL.`,
    );
}
