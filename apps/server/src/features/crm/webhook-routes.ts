import type { FastifyInstance } from "fastify";
import { faultOfValue } from "../../domain/read-lead-record.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { answerToBeRepeated } from "../../platform/http/error-handler.ts";
import { createWorker } from "../../platform/jobs/event-inbox.ts";
import { type CrmEventContext, crmEventInbox } from "./work-events.ts";

/** Events hold whole emails and notes. A larger one is rejected for good, and its change is found by the next sync. */
const bodyLimit = 5 * 1024 * 1024;
/** The CRM retries an event for an hour with its first timestamp; an older one is a replay. */
const oldestMs = 2 * 3_600_000;
/** Tolerance for clock differences. */
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
  // A legitimate event is not nested so deeply, and PostgreSQL could not store it.
  if (faultOfValue(payload) === "too_deep") throw new AppError("invalid", "The event is nested too deeply.");
  return payload as Record<string, unknown>;
}

/**
 * Receives the CRM's events, signed over the raw body and at most two hours old. An event is stored by one insert, answered, and worked
 * afterwards; a repeat is dropped by its key. If it cannot be stored the answer is 429, the only status after which the CRM retries.
 * Unsigned requests are rate limited by address. Types without a meaning here are stored and answered too.
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
    // Rejected before its body is read.
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
