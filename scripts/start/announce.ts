import type { Postgres } from "../lib/postgres.ts";

const accounts = [
  ["admin@portal.test", "portal-admin", "administrator"],
  ["ana@portal.test", "portal-demo", "consultant, phone answers and presses 1"],
  ["luis@portal.test", "portal-demo", "consultant, phone answers and presses 1"],
  ["sofia@portal.test", "portal-demo", "consultant without a number of her own"],
];

type Started = {
  address: string;
  /** Address of the sandbox's phones page; null without a sandbox. */
  phones: string | null;
  dataDir: string;
  /** Null if DATABASE_URL names a server. */
  postgres: Postgres | null;
  production: boolean;
  tookMs: number;
};

const describeDatabase = ({ postgres, dataDir }: Started): string => {
  if (!postgres) return "the server that DATABASE_URL names";
  const outside = postgres.where.startsWith(dataDir) ? "" : ", which its unprivileged account can reach";
  return `embedded PostgreSQL in ${postgres.where}${outside}${postgres.adopted ? " (was still running)" : ""}`;
};

/** Prints the portal's address and how to sign in. */
export const announce = (started: Started): void => {
  const lines = [
    "",
    `  Portal    ${started.address}`,
    ...(started.phones ? [`  Phones    ${started.phones}  (the simulated phones of the sandbox)`] : []),
    `  Database  ${describeDatabase(started)}`,
    "",
  ];
  if (started.production) {
    if (started.postgres) lines.push("  Back up with npm run db:backup: see docs/operations.md.", "");
  } else {
    lines.push("  Sign in with");
    for (const [email = "", password = "", role] of accounts) {
      lines.push(`    ${email.padEnd(20)}${password.padEnd(15)}${role}`);
    }
    lines.push("");
  }
  lines.push(`  Started in ${Math.round(started.tookMs)} ms. Ctrl-C ends it.`, "");
  process.stdout.write(`${lines.join("\n")}\n`);
};
