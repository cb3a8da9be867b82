import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEnvironment, root } from "../lib/environment.ts";
import { PlainError } from "../lib/plain-error.ts";
import { startPostgres } from "../lib/postgres.ts";
import { runInView } from "../lib/run-step.ts";

/**
 * The embedded PostgreSQL, if it exists: the doctor does not create one. If it cannot be started, the reason is reported, and everything
 * else is still checked.
 */
const findPostgres = async (dataDir: string) => {
  const isThere = ["postgres", "postgres.location"].some((name) => existsSync(join(dataDir, name)));
  try {
    if (isThere) return await startPostgres({ dataDir });
    process.stderr.write(`There is no database in ${dataDir} yet: npm start makes it.\n`);
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    process.stderr.write(`${error.message}\n`);
  }
  return null;
};

/** `npm run doctor`: checks everything that support would ask for, whether or not the portal is running. */
const runDoctor = async (): Promise<number> => {
  const { dataDir } = loadEnvironment();
  const postgres = process.env.DATABASE_URL ? null : await findPostgres(dataDir);
  try {
    return await runInView({
      args: [join(root, "apps/server/src/main-doctor.ts"), ...process.argv.slice(2)],
      cwd: root,
      env: { DATA_DIR: dataDir, ...(postgres ? { DATABASE_URL: postgres.url } : {}) },
    });
  } finally {
    if (postgres && !postgres.adopted) await postgres.stop();
  }
};

process.exitCode = await runDoctor();
