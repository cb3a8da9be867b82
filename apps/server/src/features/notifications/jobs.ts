import { browserOf } from "@portal/contract/browser-of";
import { decrypt } from "../../domain/encryption.ts";
import type { Queue, Scheduler } from "../../platform/jobs/jobs.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import {
  type DueEmail,
  findAddressee,
  findDueEmails,
  findMeeting,
  findMissedCall,
  findName,
  findUnreadMessages,
  isAdminAlertOpen,
  listEmailUsers,
} from "./repository.ts";
import {
  canBeReached,
  holdReminder,
  linkPurpose,
  listOwedReaders,
  type MailJob,
  mailQueue,
  type NotificationsContext,
  queueEmail,
} from "./service.ts";

import { type EmailContent, isNotification, writeEmail } from "./write-email.ts";

/** The email's current content; null if it is no longer needed. */
async function lookUp(context: NotificationsContext, job: MailJob): Promise<EmailContent | null> {
  const { db } = context.database;
  const { orgTimeZone: timeZone, encryptionKeys } = context;
  switch (job.kind) {
    case "text": {
      const found = await findUnreadMessages(db, job);
      return found ? { kind: job.kind, ...found } : null;
    }
    case "missed-call": {
      const found = await findMissedCall(db, job);
      return found ? { kind: job.kind, ...found, timeZone } : null;
    }
    case "meeting": {
      const found = await findMeeting(db, job);
      // A rescheduled meeting has another email.
      return found && found.startsAt.toISOString() === job.startsAt ? { kind: job.kind, ...found } : null;
    }
    case "admin-alert":
      return (await isAdminAlertOpen(db, job.alert)) ? { kind: job.kind, alert: job.alert } : null;
    case "large-export": {
      const { by, what, count, at } = job;
      const name = by === null ? null : await findName(db, by);
      return { kind: job.kind, name, what, count, at: new Date(at), timeZone };
    }
    case "new-device": {
      const { address, userAgent, at } = job;
      return { kind: job.kind, address, ...browserOf(userAgent), at: new Date(at), timeZone };
    }
    case "second-factor":
      return { kind: job.kind, change: job.change };
    case "password-link": {
      const url = decrypt(job.sealedUrl, { encryptionKeys, purpose: linkPurpose });
      const expiresAt = new Date(job.expiresAt);
      return url && expiresAt > new Date() ? { kind: job.kind, url, expiresAt, timeZone } : null;
    }
    default:
      return { kind: job.kind };
  }
}

async function sendEmail(context: NotificationsContext, job: MailJob): Promise<void> {
  const { mailer, log, publicUrl } = context;
  const { kind, userId, reference } = job;
  const addressee = await findAddressee(context.database.db, userId);
  if (!mailer || !addressee || (isNotification(kind) && !addressee.wantsNotifications)) return;
  const content = await lookUp(context, job);
  if (!content) return;
  if (isNotification(kind) && !(await canBeReached(context.database.db, userId)))
    return holdReminder(context, { queue: mailQueue, job, reference });
  const { name, language } = addressee;
  const to = job.kind === "email-changed" ? job.to : addressee.email;
  try {
    await mailer.send({ to, reference, ...writeEmail(content, { name, language, publicUrl }) });
    log.info({ kind, userId }, "mail sent");
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const given = { kind, userId, failure: error.kind, code: error.providerCode };
    if (error.kind === "invalid") {
      log.warn(given, "mail refused for good");
      return;
    }
    log.warn(given, "mail not sent, it will be tried again");
    throw error;
  }
}

/** The queue of emails, which retries for about a day. */
export function mailJobs(context: NotificationsContext, retryDelay = 30): Queue<MailJob> {
  return {
    name: mailQueue,
    retryLimit: 30,
    retryDelay,
    retryDelayMax: 3_600,
    expireInSeconds: 60,
    concurrency: 1,
    work: (job) => sendEmail(context, job),
  };
}

const intervalMs = 30_000;
const emailWindowMs = 3_600_000;
const queuedMax = 10_000;

function emailOf({ kind, id, userId, version }: DueEmail): MailJob {
  const reference = `${kind}-${id}-${userId}-${version}`;
  switch (kind) {
    case "text":
      return { kind, leadId: id, userId, reference };
    case "missed-call":
      return { kind, inboundCallId: id, userId, reference };
    case "meeting":
      return { kind, meetingId: id, startsAt: new Date(Number(version)).toISOString(), userId, reference };
  }
}

/**
 * Queues the emails that are due. Any process may call it; each reference has one email. `queued` are the references that this process has
 * queued before.
 */
export async function queueDueEmails(
  context: NotificationsContext,
  queued = new Set<string>(),
): Promise<void> {
  if (!context.mailer) return;
  const { db } = context.database;
  const userIds = await listEmailUsers(db);
  const due = (await findDueEmails(db, await listOwedReaders(db, { userIds, windowMs: emailWindowMs }))).map(
    emailOf,
  );
  const fresh = due.filter(({ reference }) => !queued.has(reference));
  if (fresh.length === 0) return;
  await context.database.transaction(async (tx) => {
    for (const email of fresh) await queueEmail(tx, context, email);
  });
  if (queued.size > queuedMax) queued.clear();
  for (const { reference } of fresh) queued.add(reference);
}

/** Starts the scheduled task, if mail is configured. */
export function startNotificationJobs(context: NotificationsContext, scheduler: Scheduler): void {
  const queued = new Set<string>();
  if (context.mailer) scheduler.every(intervalMs, () => queueDueEmails(context, queued));
}
