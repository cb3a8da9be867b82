import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The repository's folder. */
export const root = resolve(import.meta.dirname, "../..");

/** Reads .env into the environment; the real environment wins. @returns the data folder */
export const loadEnvironment = (): { dataDir: string } => {
  const file = join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  return { dataDir: resolve(root, process.env.DATA_DIR || "data") };
};
