import type { Queue } from "../../jobs/jobs.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { openSealed } from "../../values/sealed-text.ts";
import { findAddressee, findMeeting, findMissedCall, findUnreadTexts } from "./data.ts";
import { isNotice, type LetterContent, writeLetter } from "./letters.ts";
import { linkPurpose, type MailJob, mailQueue, type NoticesContext } from "./service.ts";

/** What the letter tells now; null where there is nothing left to tell. */
async function lookUp(context: NoticesContext, job: MailJob): Promise<LetterContent | null> {
  const { db } = context.database;
  const { orgTimeZone: timeZone, encryptionKey } = context;
  switch (job.kind) {
    case "text": {
      const found = await findUnreadTexts(db, job);
      return found ? { kind: job.kind, ...found } : null;
    }
    case "missed-call": {
      const found = await findMissedCall(db, job);
      return found ? { kind: job.kind, ...found, timeZone } : null;
    }
    case "meeting": {
      const found = await findMeeting(db, job);
      // One that was moved meanwhile has a letter of its own.
      return found && found.startsAt.toISOString() === job.startsAt ? { kind: job.kind, ...found } : null;
    }
    case "password-link": {
      const url = openSealed(job.sealedUrl, { encryptionKey, purpose: linkPurpose });
      const expiresAt = new Date(job.expiresAt);
      return url && expiresAt > new Date() ? { kind: job.kind, url, expiresAt, timeZone } : null;
    }
    default:
      return { kind: job.kind };
  }
}

async function sendLetter(context: NoticesContext, job: MailJob): Promise<void> {
  const { mailer, log, publicUrl } = context;
  const { kind, userId, reference } = job;
  const addressee = await findAddressee(context.database.db, userId);
  if (!mailer || !addressee || (isNotice(kind) && !addressee.wantsNotices)) return;
  const content = await lookUp(context, job);
  if (!content) return;
  const { name, language } = addressee;
  const to = job.kind === "email-changed" ? job.to : addressee.email;
  try {
    await mailer.send({ to, reference, ...writeLetter(content, { name, language, publicUrl }) });
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

/** The queue of letters, for the composition root: tried for about a day. */
export function mailJobs(context: NoticesContext, retryDelay = 30): Queue<MailJob> {
  return {
    name: mailQueue,
    retryLimit: 30,
    retryDelay,
    retryDelayMax: 3_600,
    expireInSeconds: 60,
    concurrency: 1,
    work: (job) => sendLetter(context, job),
  };
}
