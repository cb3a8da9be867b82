import { join } from "node:path";
import { loadEnvironment, root } from "../lib/environment.ts";
import { PlainError } from "../lib/plain-error.ts";
import { startPostgres } from "../lib/postgres.ts";
import { runInView } from "../lib/run-step.ts";

// Creates the first administrator in the database that `npm start` would use; it may be running.
const createAdmin = async (): Promise<number> => {
  const { dataDir } = loadEnvironment();
  const postgres = process.env.DATABASE_URL ? null : await startPostgres({ dataDir });
  try {
    return await runInView({
      args: [join(root, "apps/server/src/main-admin-create.ts")],
      cwd: root,
      env: postgres ? { DATABASE_URL: postgres.url } : {},
      stdin: "inherit",
    });
  } finally {
    if (postgres && !postgres.adopted) await postgres.stop();
  }
};

try {
  process.exitCode = await createAdmin();
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
