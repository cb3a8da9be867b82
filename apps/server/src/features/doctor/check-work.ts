import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { Db } from "../../platform/db/client.ts";
import { readJobFacts, readOutboxEnds } from "../admin/health-repository.ts";
import { readBackupState } from "../backups/service.ts";
import { describeKeyState, readKeyState } from "../encryption-keys/service.ts";
import { readBacklog } from "../monitoring/repository.ts";
import type { DoctorCheck, DoctorStatus } from "./types.ts";

/** The same threshold as the alert rules. */
const lateSeconds = 600;
const eventsMost = 100;

const since = (seconds: number) =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** Checks the pending work by age, and the last failures. */
export async function checkWork(db: Db): Promise<DoctorCheck[]> {
  const [{ jobs, calls, callsStuck, outbox, providerEvents }, ended, { lastError }] = await Promise.all([
    readBacklog(db),
    readJobFacts(db),
    readOutboxEnds(db),
  ]);
  const isLate = (seconds: number | null): DoctorStatus => ((seconds ?? 0) > lateSeconds ? "fail" : "ok");
  const oldest = (seconds: number | null) => (seconds === null ? "" : `, the oldest for ${since(seconds)}`);
  return [
    ...(jobs.length === 0 ? [{ name: "Jobs", status: "ok" as const, text: "none waits" }] : []),
    ...jobs.map(({ queue, waiting, oldestSeconds }) => ({
      name: `Jobs: ${queue}`,
      status: isLate(oldestSeconds),
      text: `${waiting} wait${oldest(oldestSeconds)}`,
    })),
    {
      name: "Jobs that failed",
      status: ended.failed > 0 ? "warn" : "ok",
      text: `${ended.failed} in the last hour${ended.lastFailedAt ? `; the last at ${ended.lastFailedAt.toISOString()}: ${ended.lastFailure}` : ""}`,
    },
    {
      name: "CRM outbox",
      status: isLate(outbox.oldestSeconds),
      text: `${outbox.waiting} wait${oldest(outbox.oldestSeconds)}${lastError ? `; last refused: ${lastError}` : ""}`,
    },
    ...providerEvents.map(({ source, lastSeconds, waiting }) => ({
      name: `Events: ${source}`,
      status: waiting > eventsMost ? ("fail" as const) : ("ok" as const),
      text: `${waiting} wait, the last came ${since(lastSeconds)} ago`,
    })),
    {
      name: "Calls",
      status: callsStuck > 0 ? "fail" : "ok",
      text: `${calls.reduce((sum, { live }) => sum + live, 0)} live, ${callsStuck} stuck`,
    },
  ];
}

/** Checks whether the encrypted values can be decrypted, and reports when the previous key is no longer needed. */
export async function checkSecrets(context: {
  db: Db;
  encryptionKeys: EncryptionKeys;
}): Promise<DoctorCheck> {
  const state = await readKeyState(context);
  const status = state.unreadable.length > 0 ? "fail" : state.previous > 0 ? "warn" : "ok";
  return { name: "Stored secrets", status, text: describeKeyState(state) };
}

/** Checks the last successful backup. */
export async function checkBackups(db: Db, everyHours: number | null): Promise<DoctorCheck[]> {
  const { last, failedAt, isOpen } = await readBackupState(db, everyHours);
  const schedule = everyHours === null ? "no schedule" : `every ${everyHours} h`;
  const words = last
    ? `${last.at}, ${(last.bytes / 1e6).toFixed(1)} MB, ${last.isEncrypted ? "encrypted" : "not encrypted"}`
    : "none";
  return [
    {
      name: "Last good backup",
      status: !isOpen ? "ok" : everyHours === null ? "warn" : "fail",
      text: `${words} (${schedule})`,
    },
    ...(failedAt ? [{ name: "Last backup", status: "warn" as const, text: `failed at ${failedAt}` }] : []),
  ];
}
