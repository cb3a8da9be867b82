import type { Logger } from "pino";
import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { Database } from "../../platform/db/client.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { describeKeyState, readKeyState, rewriteValues } from "./service.ts";

const roundMs = 60_000;

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
  if (isRewrite) scheduler.every(roundMs, round);
}
