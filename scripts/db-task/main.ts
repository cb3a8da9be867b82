import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadEnvironment, root } from "../lib/environment.ts";
import { PlainError } from "../lib/plain-error.ts";
import { startPostgres } from "../lib/postgres.ts";
import { runInView } from "../lib/run-step.ts";

/** The embedded database and the server that replaces it. Errors: `PlainError` if either is missing. */
const bothDatabases = async (dataDir: string) => {
  if (!process.env.DATABASE_URL)
    throw new PlainError(
      "DATABASE_URL is not set. Name the empty database that all is to be moved to: DATABASE_URL=postgresql://role:password@host/portal npm run db:move",
    );
  if (!existsSync(join(dataDir, "postgres")) && !existsSync(join(dataDir, "postgres.location")))
    throw new PlainError(`There is no embedded database in ${dataDir}: DATA_DIR names another folder.`);
  return startPostgres({ dataDir });
};

/** Runs `npm run db:backup` and similar tasks on the database that `npm start` would use; it may be running. */
const runTask = async (): Promise<number> => {
  const { dataDir } = loadEnvironment();
  const [task = "", given, ...more] = process.argv.slice(2);
  // npm runs scripts in the repository's folder; file names are relative to the folder in which npm was called.
  const file = given && resolve(process.env.INIT_CWD ?? process.cwd(), given);
  const isMove = task === "move";
  const startOwn = () => (process.env.DATABASE_URL ? null : startPostgres({ dataDir }));
  const postgres = await (isMove ? bothDatabases(dataDir) : startOwn());
  const urlName = isMove ? "EMBEDDED_DATABASE_URL" : "DATABASE_URL";
  try {
    return await runInView({
      args: [join(root, "apps/server/src/main-database.ts"), task, ...(file ? [file] : []), ...more],
      cwd: root,
      env: { DATA_DIR: dataDir, ...(postgres ? { [urlName]: postgres.url } : {}) },
    });
  } finally {
    if (postgres && !postgres.adopted) await postgres.stop();
  }
};

try {
  process.exitCode = await runTask();
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
