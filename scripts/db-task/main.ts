import { join, resolve } from "node:path";
import { loadEnvironment, root } from "../lib/environment.ts";
import { PlainError } from "../lib/plain-error.ts";
import { startPostgres } from "../lib/postgres.ts";
import { runInView } from "../lib/run-step.ts";

/** `npm run db:backup` and the like: with the database that `npm start` would use; it may be running. */
const runTask = async (): Promise<number> => {
  const { dataDir } = loadEnvironment();
  const [task = "", given, ...more] = process.argv.slice(2);
  // npm runs scripts in the repository's folder; names of files are those where npm was called.
  const file = given && resolve(process.env.INIT_CWD ?? process.cwd(), given);
  const postgres = process.env.DATABASE_URL ? null : await startPostgres({ dataDir });
  try {
    return await runInView({
      args: [join(root, "apps/server/src/main-database.ts"), task, ...(file ? [file] : []), ...more],
      cwd: root,
      env: { DATA_DIR: dataDir, ...(postgres ? { DATABASE_URL: postgres.url } : {}) },
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
