import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PlainError } from "./plain-error.ts";
import { asAccount, useOwnServer } from "./postgres-account.ts";
import type { Place } from "./postgres-place.ts";

/** The role and the database that the portal uses. */
export const roleName = "portal";
export const databaseName = "portal";

/** PostgreSQL reads settings from PG* and LC_* variables; it is to see ours only. */
export const postgresEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  SystemRoot: process.env.SystemRoot,
  LC_ALL: process.env.LC_ALL,
  TZ: "UTC",
});

const localeChoices = [["--lc-ctype=C.UTF-8"], []];

const initialise = ({
  bin,
  place,
  folder,
  auth,
}: {
  bin: string;
  place: Place;
  folder: string;
  auth: string[];
}): void => {
  let said = "";
  for (const locale of localeChoices) {
    const made = spawnSync(
      join(bin, "initdb"),
      [
        ...["-D", folder, "-U", roleName, "-E", "UTF8", "--no-instructions", ...auth],
        ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", ...locale],
      ],
      { ...asAccount(place.account), cwd: "/", env: postgresEnv(), encoding: "utf8" },
    );
    if (made.status === 0) return;
    said = made.error?.message ?? made.stderr.trim();
  }
  throw new PlainError(`PostgreSQL could not make its data folder ${folder}:\n${said}\n${useOwnServer}`);
};

const createDatabase = ({ bin, place, folder }: { bin: string; place: Place; folder: string }): void => {
  const made = spawnSync(join(bin, "postgres"), ["--single", "-D", folder, "postgres"], {
    ...asAccount(place.account),
    cwd: "/",
    env: postgresEnv(),
    input: `CREATE DATABASE ${databaseName};\n`,
    encoding: "utf8",
  });
  if (made.status !== 0) {
    throw new PlainError(
      `PostgreSQL could not create its database:\n${made.error?.message ?? made.stderr.trim()}`,
    );
  }
};

/**
 * The cluster's folder; made where it is not there. It is made beside its place and moved there when it is whole, so that
 * a start killed in between leaves nothing half done.
 */
export const ensureCluster = ({
  bin,
  place,
  password,
}: {
  bin: string;
  place: Place;
  password?: string;
}): string => {
  const cluster = join(place.folder, "18");
  if (existsSync(cluster)) return cluster;
  const half = `${cluster}.new`;
  rmSync(half, { recursive: true, force: true });
  const passwordFile = `${half}.password`;
  if (password) writeFileSync(passwordFile, password, { mode: 0o600 });
  const auth = password ? ["--auth=scram-sha-256", `--pwfile=${passwordFile}`] : ["--auth=trust"];
  initialise({ bin, place, folder: half, auth });
  rmSync(passwordFile, { force: true });
  createDatabase({ bin, place, folder: half });
  renameSync(half, cluster);
  return cluster;
};
