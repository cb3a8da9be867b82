import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../http/app-error.ts";
import { createNudge } from "../../jobs/event-inbox.ts";
import { type CrmEventContext, crmEventInbox } from "./work-events.ts";

const bodyLimit = 256 * 1024;
/** An event sent earlier, or later than now, is a replay or nobody's. */
const replayWindowMs = 5 * 60_000;

function refuse(request: FastifyRequest, reason: string, message: string): never {
  request.log.warn({ path: "/api/ghl/webhook", address: request.ip, reason }, "webhook refused");
  throw new AppError("signature_invalid", message);
}

function readPayload(raw: Buffer): Record<string, unknown> {
  try {
    const payload: unknown = JSON.parse(raw.toString("utf8"));
    if (typeof payload === "object" && payload !== null && !Array.isArray(payload))
      return payload as Record<string, unknown>;
  } catch {
    // As below.
  }
  throw new AppError("invalid", "The event is not JSON.");
}

/**
 * What the CRM tells of by itself, signed over the raw body and young: stored with one insert, answered, and worked
 * afterwards. Types that mean nothing here are stored and answered as well.
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
    const worker = createNudge(inbox.work, (error) =>
      context.log.error({ err: error }, "crm events not worked"),
    );
    scope.addHook("onClose", worker.settled);
    scope.post(
      "/api/ghl/webhook",
      { config: { access: "signed" }, schema: { hide: true } },
      async (request) => {
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const signature = request.headers["x-ghl-signature"];
        if (typeof signature !== "string" || !crmWebhooks.isSigned(raw, signature))
          refuse(request, "signature", "The signature does not fit the request.");
        const payload = readPayload(raw);
        const { key, type, sentAt } = crmWebhooks.identify(payload, raw);
        if (sentAt && Math.abs(Date.now() - sentAt.getTime()) > replayWindowMs)
          refuse(request, "age", "The event was not sent in the last minutes.");
        await inbox.store({ key, kind: type, payload });
        worker.nudge();
        return { status: "ok" };
      },
    );
  });
}
