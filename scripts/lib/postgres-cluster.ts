import { spawn } from "node:child_process";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { PlainError } from "./plain-error.ts";
import { asAccount, useOwnServer } from "./postgres-account.ts";
import type { PostgresLocation } from "./postgres-location.ts";

/** The role and the database that the portal uses. */
export const roleName = "portal";
export const databaseName = "portal";

/** PostgreSQL reads settings from PG* and LC_* variables; it must see only ours. */
export const postgresEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  SystemRoot: process.env.SystemRoot,
  LC_ALL: process.env.LC_ALL,
  TZ: "UTC",
});

const localeChoices = [["--lc-ctype=C.UTF-8"], []];

/** Runs one of PostgreSQL's programs. @returns null, or why it failed */
const runTool = async (
  file: string,
  { args, place, input = "" }: { args: string[]; place: PostgresLocation; input?: string },
): Promise<string | null> => {
  const child = spawn(file, args, { ...asAccount(place.account), cwd: "/", env: postgresEnv() });
  child.stdout.resume();
  // A program that ends before it has read its input reports the reason itself.
  child.stdin.on("error", () => undefined).end(input);
  const ended = new Promise<string | number | null>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", resolve);
  });
  const [said, end] = await Promise.all([text(child.stderr), ended]);
  if (end === 0) return null;
  return typeof end === "string" ? end : said.trim();
};

const initialise = async ({
  bin,
  place,
  folder,
  auth,
}: {
  bin: string;
  place: PostgresLocation;
  folder: string;
  auth: string[];
}): Promise<void> => {
  let said: string | null = null;
  for (const locale of localeChoices) {
    said = await runTool(join(bin, "initdb"), {
      args: [
        ...["-D", folder, "-U", roleName, "-E", "UTF8", "--no-instructions", ...auth],
        ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", ...locale],
      ],
      place,
    });
    if (said === null) return;
  }
  throw new PlainError(`PostgreSQL could not make its data folder ${folder}:\n${said}\n${useOwnServer}`);
};

const createDatabase = async (where: {
  bin: string;
  place: PostgresLocation;
  folder: string;
}): Promise<void> => {
  const said = await runTool(join(where.bin, "postgres"), {
    args: ["--single", "-D", where.folder, "postgres"],
    place: where.place,
    input: `CREATE DATABASE ${databaseName};\n`,
  });
  if (said !== null) throw new PlainError(`PostgreSQL could not create its database:\n${said}`);
};

/**
 * The cluster's folder, created if it does not exist. It is created next to its final path and renamed when complete, so that a start that
 * is killed in between leaves nothing incomplete.
 */
export const ensureCluster = async ({
  bin,
  place,
  password,
}: {
  bin: string;
  place: PostgresLocation;
  password?: string;
}): Promise<string> => {
  const cluster = join(place.folder, "18");
  if (existsSync(cluster)) return cluster;
  const half = `${cluster}.new`;
  rmSync(half, { recursive: true, force: true });
  const passwordFile = `${half}.password`;
  if (password) writeFileSync(passwordFile, password, { mode: 0o600 });
  const auth = password ? ["--auth=scram-sha-256", `--pwfile=${passwordFile}`] : ["--auth=trust"];
  await initialise({ bin, place, folder: half, auth });
  rmSync(passwordFile, { force: true });
  await createDatabase({ bin, place, folder: half });
  renameSync(half, cluster);
  return cluster;
};
