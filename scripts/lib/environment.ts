import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PlainError } from "./plain-error.ts";

/** The repository's folder. */
export const root = resolve(import.meta.dirname, "../..");

const readSecret = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new PlainError(
      `DATABASE_URL_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code}): ${file}`,
    );
  }
};

/** Reads .env into the environment; the real environment wins. @returns the data folder */
export const loadEnvironment = (): { dataDir: string } => {
  const file = join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  // Whether there is a database address decides what is started; the server reads the other secrets' files itself.
  const { DATABASE_URL_FILE: urlFile } = process.env;
  if (urlFile && !process.env.DATABASE_URL) {
    process.env.DATABASE_URL = readSecret(urlFile);
    delete process.env.DATABASE_URL_FILE;
  }
  return { dataDir: resolve(root, process.env.DATA_DIR || "data") };
};
