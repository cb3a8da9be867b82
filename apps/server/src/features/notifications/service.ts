import { createHash, randomUUID } from "node:crypto";
import type { AdminAlertKind, ExportedThing } from "@portal/contract/routes/notifications";
import type { Logger } from "pino";
import { encrypt } from "../../domain/encryption.ts";
import type { Database, Tx } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Mailer } from "../../ports/mailer.ts";
import type { PushService } from "../../ports/push-service.ts";

export interface NotificationsContext {
  database: Database;
  jobs: Jobs;
  log: Logger;
  /** Null where no mail server is configured: nothing is sent. */
  mailer: Mailer | null;
  push: PushService;
  /** A session's longest life; its device takes no push after it. */
  sessionMaxDays: number;
  publicUrl: string;
  orgTimeZone: string;
  encryptionKey: string;
}

export const mailQueue = "mail";
/** What a one-time link is encrypted for while its email waits. */
export const linkPurpose = "mailed password link";

/** An email that is to be sent; what it says is looked up when it is. */
export type MailJob = {
  userId: number;
  /** The email's content; there is one email for each reference. */
  reference: string;
  /** How often it was put off, as its person could not be reached. */
  held?: number;
} & (
  | { kind: "text"; leadId: number }
  | { kind: "missed-call"; inboundCallId: number }
  | { kind: "meeting"; meetingId: number; startsAt: string }
  | { kind: "admin-alert"; alert: AdminAlertKind }
  | { kind: "large-export"; by: number | null; what: ExportedThing; count: number; at: string }
  | { kind: "email-changed"; to: string }
  | { kind: "password-changed" }
  | { kind: "password-link"; sealedUrl: string; expiresAt: string }
);

/** A job's id made of what it is about, so that of one reference there is one job. */
export function jobIdOf(reference: string): string {
  const digest = createHash("sha256").update(reference).digest("hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`;
}

/** Puts an email into the queue, in the transaction of its cause; one whose reference is known already is not sent again. */
export async function queueEmail(
  tx: Tx,
  { jobs }: Pick<NotificationsContext, "jobs">,
  job: MailJob,
): Promise<void> {
  await jobs.enqueue(tx, mailQueue, job, { id: jobIdOf(job.reference) });
}

type Mailing = Pick<NotificationsContext, "jobs" | "mailer">;

/** Tells the old address that the account signs in with another now. Nothing where the portal sends no mail. */
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

/** Tells a person that their password was changed. Nothing where the portal sends no mail. */
export async function mailPasswordChange(tx: Tx, context: Mailing, userId: number): Promise<void> {
  if (!context.mailer) return;
  await queueEmail(tx, context, {
    kind: "password-changed",
    userId,
    reference: `password-${randomUUID()}`,
  });
}

/**
 * Sends a person their one-time link to choose a password. `url` is kept encrypted until the email is written. Answers whether an email
 * is on its way: false where the portal sends no mail.
 */
export async function mailPasswordLink(
  tx: Tx,
  context: Mailing & Pick<NotificationsContext, "encryptionKey">,
  { userId, url, expiresAt }: { userId: number; url: string; expiresAt: string },
): Promise<boolean> {
  if (!context.mailer) return false;
  const { encryptionKey } = context;
  await queueEmail(tx, context, {
    kind: "password-link",
    userId,
    sealedUrl: encrypt(url, { encryptionKey, purpose: linkPurpose }),
    expiresAt,
    reference: `link-${randomUUID()}`,
  });
  return true;
}
