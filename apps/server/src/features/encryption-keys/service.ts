import type { Logger } from "pino";
import { type EncryptionKeys, reencrypt } from "../../domain/encryption.ts";
import type { Database, Db } from "../../platform/db/client.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { listValues, replaceValue, storedKinds } from "./repository.ts";

/** Which keys can read the encrypted values of the database. */
export interface KeyState {
  /** Whether ENCRYPTION_KEY_PREVIOUS is set. */
  isRotated: boolean;
  current: number;
  previous: number;
  /** Values that neither key can read, by kind. Nothing deletes them: they are readable again once their key is set. */
  unreadable: { name: string; count: number }[];
}

interface KeysContext {
  db: Db;
  encryptionKeys: EncryptionKeys;
}

async function readSecrets({ db, encryptionKeys }: KeysContext, isRewrite: boolean): Promise<KeyState> {
  const state: KeyState = {
    isRotated: encryptionKeys.previous !== null,
    current: 0,
    previous: 0,
    unreadable: [],
  };
  for (const kind of storedKinds) {
    let count = 0;
    for (const { id, value } of await listValues(db, kind)) {
      const read = reencrypt(value, { encryptionKeys, purpose: kind.purposeOf(id) });
      if (read === null) count += 1;
      else if (read.key === "current") state.current += 1;
      else if (isRewrite && (await replaceValue(db, kind, { id, old: value, fresh: read.sealed })))
        state.current += 1;
      else state.previous += 1;
    }
    if (count > 0) state.unreadable.push({ name: kind.name, count });
  }
  return state;
}

/** Tries every encrypted value with both keys. Changes nothing. */
export function readKeyState(context: KeysContext): Promise<KeyState> {
  return readSecrets(context, false);
}

/**
 * Encrypts values of the previous key with the current one. Each value is replaced by a statement of its own, and only if unchanged:
 * several processes may do this at once, write meanwhile or be killed, and the next call continues.
 */
export function rewriteValues(context: KeysContext): Promise<KeyState> {
  return readSecrets(context, true);
}

/** Number of values that neither key can read. */
export function countUnreadable({ unreadable }: KeyState): number {
  return unreadable.reduce((sum, { count }) => sum + count, 0);
}

/** The state as a sentence for logs and the doctor, without any value or key. */
export function describeKeyState(state: KeyState): string {
  const { isRotated, current, previous, unreadable } = state;
  if (unreadable.length > 0) {
    const what = unreadable.map(({ name, count }) => `${name} (${count})`).join(", ");
    return `${isRotated ? "Neither ENCRYPTION_KEY nor ENCRYPTION_KEY_PREVIOUS reads" : "ENCRYPTION_KEY does not read"} what is stored: ${what}. Nothing of it was deleted. Set the key that it was encrypted with as ENCRYPTION_KEY_PREVIOUS and start the portal anew.`;
  }
  if (!isRotated) return `ENCRYPTION_KEY reads all ${current} stored values.`;
  if (previous > 0)
    return `${previous} of ${current + previous} stored values still need ENCRYPTION_KEY_PREVIOUS: leave it set. The portal rewrites them within a minute.`;
  return `All ${current} stored values are encrypted with ENCRYPTION_KEY. Once every process has it, ENCRYPTION_KEY_PREVIOUS can be taken out; keep it with the backups made until now.`;
}

const intervalMs = 60_000;

/**
 * Logs at the start which values neither key can read. During a rotation a worker encrypts values of the previous key again: at once and
 * every minute, because processes that were not restarted yet still write with the previous key.
 */
export function startKeyJobs(
  {
    database: { db },
    log,
    env: { encryptionKeys, roles },
  }: { database: Database; log: Logger; env: { encryptionKeys: EncryptionKeys; roles: readonly string[] } },
  scheduler: Scheduler,
): void {
  const context = { db, encryptionKeys };
  const isRewrite = encryptionKeys.previous !== null && roles.includes("worker");
  let last = "";
  const round = async () => {
    const state = await (isRewrite ? rewriteValues : readKeyState)(context);
    const text = describeKeyState(state);
    if (text === last) return;
    last = text;
    if (state.unreadable.length > 0) log.error({ unreadable: state.unreadable }, text);
    else if (state.isRotated) log.info(text);
  };
  scheduler.once(round);
  if (isRewrite) scheduler.every(intervalMs, round);
}
