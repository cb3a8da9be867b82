import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PlainError } from "../lib/plain-error.ts";

/** The process that holds a data folder, for the message to the next one. */
export type Holder = { pid: number; address: string; parts: number[] };

/** A data folder held by this process. */
export type Lock = {
  /** Record of a killed start, with the process ids of its parts; null after a clean end. */
  previous: Holder | null;
  /** Stores the process ids of the parts, so that a later start can distinguish them from other processes. */
  record(parts: number[]): void;
  release(): void;
};

const sqliteBusy = 5;

const readHolder = (file: string): Holder | null => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return null;
  }
};

/**
 * Locks the data folder for one start script. The lock is SQLite's, because Node has no file locks: the operating system releases it when
 * its holder dies in any way. Errors: `PlainError` with the holder.
 */
export const acquireLock = (wanted: { dataDir: string; address: string }): Lock => {
  const { dataDir } = wanted;
  const record = join(dataDir, "start.json");
  let database: DatabaseSync;
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
    database = new DatabaseSync(join(dataDir, "start.lock"));
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== sqliteBusy) {
      throw new PlainError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}.`);
    }
    const holder = readHolder(record);
    const who = holder ? `process ${holder.pid}, which serves ${holder.address}` : "another process";
    throw new PlainError(
      `The data folder ${dataDir} is in use by ${who}. End that one, or name another folder in DATA_DIR and another PORT.`,
    );
  }
  const write = (parts: number[]): void =>
    writeFileSync(record, JSON.stringify({ pid: process.pid, address: wanted.address, parts }));
  const previous = readHolder(record);
  write(previous?.parts ?? []);
  return {
    previous,
    record: write,
    release: () => {
      rmSync(record, { force: true });
      database.close();
    },
  };
};
