import { createHash, randomUUID } from "node:crypto";
import { limits } from "@portal/contract/limits";
import type { AdminAlertKind, ExportedThing } from "@portal/contract/routes/notifications";
import { eq } from "drizzle-orm";
import type { Logger } from "pino";
import { type EncryptionKeys, encrypt } from "../../domain/encryption.ts";
import { isReachable, reachableBefore } from "../../domain/reachability.ts";
import { lockText } from "../../platform/db/advisory-locks.ts";
import type { Database, Db, Tx } from "../../platform/db/client.ts";
import { adminAlerts } from "../../platform/db/schema/organisation.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import type { Mailer, PushService } from "../../ports/notification-channels.ts";
import { recordAudit } from "../activity/service.ts";
import { findReachability, listReachability } from "../availability/repository.ts";
import { listAdministrators, type OwedReader } from "./repository.ts";
import type { FactorChange } from "./write-email.ts";

export interface NotificationsContext {
  database: Database;
  jobs: Jobs;
  log: Logger;
  /** Null without a mail server: no mail is sent. */
  mailer: Mailer | null;
  push: PushService;
  /** A session's maximum age; its device gets no push after it. */
  sessionMaxDays: number;
  publicUrl: string;
  orgTimeZone: string;
  encryptionKeys: EncryptionKeys;
}

export const mailQueue = "mail";
/** Purpose of the encryption of a one-time link while its email is queued. */
export const linkPurpose = "mailed password link";

/** An email to be sent; its content is read when it is. */
export type MailJob = {
  userId: number;
  /** Identifies the email; each reference is sent once. */
  reference: string;
  /** How often it was postponed because the user was not available. */
  held?: number;
} & (
  | { kind: "text"; leadId: number }
  | { kind: "missed-call"; inboundCallId: number }
  | { kind: "meeting"; meetingId: number; startsAt: string }
  | { kind: "admin-alert"; alert: AdminAlertKind }
  | { kind: "large-export"; by: number | null; what: ExportedThing; count: number; at: string }
  | { kind: "email-changed"; to: string }
  | { kind: "password-changed" }
  | { kind: "new-device"; address: string; userAgent: string; at: string }
  | { kind: "second-factor"; change: FactorChange }
  | { kind: "password-link"; sealedUrl: string; expiresAt: string }
);

/** A job id derived from a reference, so that each reference has one job. */
export function jobIdOf(reference: string): string {
  const digest = createHash("sha256").update(reference).digest("hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`;
}

/** Queues an email in the transaction of its cause; a known reference is not sent again. */
export async function queueEmail(
  tx: Tx,
  { jobs }: Pick<NotificationsContext, "jobs">,
  job: MailJob,
): Promise<void> {
  await jobs.enqueue(tx, mailQueue, job, { id: jobIdOf(job.reference) });
}

type Mailing = Pick<NotificationsContext, "jobs" | "mailer">;

/** Tells the old email address that the account has another one now. Does nothing without a mail server. */
export async function mailEmailChange(
  tx: Tx,
  context: Mailing,
  { userId, oldEmail }: { userId: number; oldEmail: string },
): Promise<void> {
  if (!context.mailer) return;
  await queueEmail(tx, context, {
    kind: "email-changed",
    userId,
    to: oldEmail,
    reference: `email-${randomUUID()}`,
  });
}

/** Tells a user that their password was changed. Does nothing without a mail server. */
export async function mailPasswordChange(tx: Tx, context: Mailing, userId: number): Promise<void> {
  if (!context.mailer) return;
  await queueEmail(tx, context, {
    kind: "password-changed",
    userId,
    reference: `password-${randomUUID()}`,
  });
}

/**
 * Sends a user their one-time link for choosing a password. `url` is stored encrypted until the email is written. Returns false without a
 * mail server.
 */
export async function mailPasswordLink(
  tx: Tx,
  context: Mailing & Pick<NotificationsContext, "encryptionKeys">,
  { userId, url, expiresAt }: { userId: number; url: string; expiresAt: string },
): Promise<boolean> {
  if (!context.mailer) return false;
  const { encryptionKeys } = context;
  await queueEmail(tx, context, {
    kind: "password-link",
    userId,
    sealedUrl: encrypt(url, { encryptionKeys, purpose: linkPurpose }),
    expiresAt,
    reference: `link-${randomUUID()}`,
  });
  return true;
}

/** Tells a user that a browser signed in to their account that had not before. Does nothing without a mail server. */
export async function mailNewDevice(
  tx: Tx,
  context: Mailing,
  { userId, address, userAgent }: { userId: number; address: string; userAgent: string },
): Promise<void> {
  if (!context.mailer) return;
  const at = new Date().toISOString();
  const reference = `device-${randomUUID()}`;
  await queueEmail(tx, context, { kind: "new-device", userId, address, userAgent, at, reference });
}

/** Tells a user what became of their second factor. Does nothing without a mail server. */
export async function mailFactorChange(
  tx: Tx,
  context: Mailing,
  { userId, change }: { userId: number; change: FactorChange },
): Promise<void> {
  if (!context.mailer) return;
  await queueEmail(tx, context, {
    kind: "second-factor",
    userId,
    change,
    reference: `factor-${randomUUID()}`,
  });
}

/**
 * Those of these users who are available now, with the instant since which they should be notified: `windowMs` ago, or, if they were not
 * available then, the beginning of that absence. Reminders of the others wait.
 */
export async function listOwedReaders(
  db: Db,
  { userIds, windowMs }: { userIds: number[]; windowMs: number },
): Promise<OwedReader[]> {
  const now = new Date();
  const at = new Date(now.getTime() - windowMs);
  const reachable = (await listReachability(db, { userIds, since: at })).filter((row) =>
    isReachable(row, now),
  );
  const isBack = new Set(reachable.filter((row) => !isReachable(row, at)).map(({ userId }) => userId));
  // Few users have just come back, so the earlier state is only read for them.
  const before = new Map(
    (await listReachability(db, { userIds: [...isBack] })).map((row) => [
      row.userId,
      reachableBefore(row, at),
    ]),
  );
  return reachable.map(({ userId }) => ({ userId, since: before.get(userId) ?? at }));
}

export async function canBeReached(db: Db, userId: number): Promise<boolean> {
  const now = new Date();
  return isReachable(await findReachability(db, userId, now), now);
}

/** Interval for checking whether the user of a held reminder is back. */
const holdSeconds = 60;

/** Postpones a reminder whose user left after it was queued. */
export async function holdReminder(
  { database, jobs }: Pick<NotificationsContext, "database" | "jobs">,
  { queue, job, reference }: { queue: string; job: { held?: number }; reference: string },
): Promise<void> {
  const held = (job.held ?? 0) + 1;
  await database.transaction((tx) =>
    jobs.enqueue(
      tx,
      queue,
      { ...job, held },
      // A job that runs twice is postponed once.
      { id: jobIdOf(`${reference}-held-${held}`), startAfterSeconds: holdSeconds },
    ),
  );
}

type AlertContext = Pick<NotificationsContext, "jobs" | "mailer">;

/**
 * Opens or closes an alert for administrators. `isOpen` returns whether there is something to fix; it runs while no other transaction
 * decides about the same alert. When the alert opens administrators are notified once, on their screens and by email if mail is configured;
 * not while it stays open or when it closes. Call it last in a transaction.
 */
export async function settleAdminAlert(
  tx: Tx,
  context: AlertContext,
  { kind, isOpen }: { kind: AdminAlertKind; isOpen: () => Promise<boolean> },
): Promise<void> {
  await lockText(tx, "adminAlert", kind);
  if (!(await isOpen())) {
    const gone = await tx.delete(adminAlerts).where(eq(adminAlerts.kind, kind)).returning();
    if (gone.length > 0) await publishEvent(tx, { topic: "admin-alert", id: 0, audience: [] });
    return;
  }
  const [opened] = await tx.insert(adminAlerts).values({ kind }).onConflictDoNothing().returning();
  if (!opened) return;
  await publishEvent(tx, { topic: "admin-alert", id: 0, audience: [] });
  if (!context.mailer) return;
  for (const userId of await listAdministrators(tx))
    await queueEmail(tx, context, {
      kind: "admin-alert",
      alert: kind,
      userId,
      reference: `${kind}-${opened.since.getTime()}-${userId}`,
    });
}

/** An export that is about to be sent. */
export interface LargeExport {
  /** The exporting user; null for the holder of a key. */
  userId: number | null;
  what: ExportedThing;
  format: "csv" | "json" | "jsonl";
  count: number;
}

/**
 * Reports an export of many rows to administrators before its first row is sent: an audit entry, which the others see on their screens, and
 * an email to all administrators if mail is configured, including the exporting one, as somebody else may be using their session.
 */
export async function recordLargeExport(
  tx: Tx,
  context: Pick<NotificationsContext, "jobs" | "mailer">,
  { userId, what, format, count }: LargeExport,
): Promise<void> {
  if (count <= limits.exportRowsUntold) return;
  await recordAudit(tx, { userId, action: "large-export", data: { what, format, count } });
  await publishEvent(tx, { topic: "admin-alert", id: 0, audience: [] });
  if (!context.mailer) return;
  const reference = `export-${randomUUID()}`;
  for (const admin of await listAdministrators(tx))
    await queueEmail(tx, context, {
      kind: "large-export",
      userId: admin,
      by: userId,
      what,
      count,
      at: new Date().toISOString(),
      reference: `${reference}-${admin}`,
    });
}
