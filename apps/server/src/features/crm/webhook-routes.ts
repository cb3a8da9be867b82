import type { FastifyInstance } from "fastify";
import { faultOfValue } from "../../domain/read-lead-record.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { answerToBeRepeated } from "../../platform/http/error-handler.ts";
import { createWorker } from "../../platform/jobs/event-inbox.ts";
import { type CrmEventContext, crmEventInbox } from "./work-events.ts";

/** Events hold whole e-mails and notes; what is larger is refused for good, and learnt by reading. */
const bodyLimit = 5 * 1024 * 1024;
/** The CRM repeats an event for an hour with its first timestamp; one that is older is a replay. */
const oldestMs = 2 * 3_600_000;
/** Clocks differ by less than this: an event from later is nobody's. */
const aheadMs = 5 * 60_000;

function isUntimely(sentAt: Date | null): boolean {
  const age = sentAt ? Date.now() - sentAt.getTime() : 0;
  return age > oldestMs || age < -aheadMs;
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    return null;
  }
}

function readPayload(raw: Buffer): Record<string, unknown> {
  const payload = parsed(raw);
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    throw new AppError("invalid", "The event is not a JSON object.");
  // No event is, and it could not be stored however often it came.
  if (faultOfValue(payload) === "too_deep") throw new AppError("invalid", "The event is nested too deeply.");
  return payload as Record<string, unknown>;
}

/**
 * The CRM's own events, signed over the raw body and not older than two hours: stored with one insert, answered, and worked
 * afterwards; a repeat is dropped by its key. What cannot be stored is answered 429, the only answer after which it comes again. What is
 * not signed is limited by address. Types that mean nothing here are stored and answered as well.
 */
export async function registerCrmWebhooks(app: FastifyInstance, context: CrmEventContext): Promise<void> {
  const { crmWebhooks } = context;
  if (!crmWebhooks) return;
  const inbox = crmEventInbox(context);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    const worker = createWorker(inbox.work, (error) =>
      context.log.error({ err: error }, "crm events not worked"),
    );
    scope.addHook("onClose", worker.settled);
    scope.setErrorHandler(answerToBeRepeated);
    // Refused before its body is read.
    scope.addHook("onRequest", async (request) => {
      if (typeof request.headers["x-ghl-signature"] !== "string") throw await app.refuseSignature(request);
    });
    scope.post("/api/ghl/webhook", { schema: { hide: true } }, async (request) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers["x-ghl-signature"];
      if (!crmWebhooks.isSigned(raw, String(signature))) throw await app.refuseSignature(request);
      const payload = readPayload(raw);
      const { key, type, sentAt } = crmWebhooks.identify(payload, raw);
      if (isUntimely(sentAt)) {
        request.log.warn({ path: "/api/ghl/webhook", address: request.ip }, "webhook refused: age");
        throw new AppError("signature_invalid", "The event was not sent in the last two hours.");
      }
      await inbox.store({ key, kind: type, payload });
      worker.wake();
      return { status: "ok" };
    });
  });
}
