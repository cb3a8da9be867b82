import type { FastifyInstance, FastifyRequest } from "fastify";
import { addressId, formParams, registerSignedForms } from "../../platform/http/signed-forms.ts";
import type { ScriptLanguage, Telephony } from "../../ports/telephony.ts";
import { type GoLiveContext, receive } from "./make-test-call.ts";
import { findOwnPhone } from "./repository.ts";

const words: Record<ScriptLanguage, string> = {
  en: "This is a test call of your lead desk. The provider reached the portal, and the portal your phone. Goodbye.",
  es: "Esta es una llamada de prueba de tu portal. El proveedor llegó al portal, y el portal a tu teléfono. Adiós.",
};

function about(request: FastifyRequest, telephony: Telephony) {
  const leg = telephony.readLegEvent(formParams(request));
  const { key } = request.query as Record<string, unknown>;
  const id = addressId(request, "test");
  return id && leg && typeof key === "string" ? { id, key, callSid: leg.sid, leg: leg.status } : null;
}

/**
 * The provider's requests during a test call, signed like all of its requests, with the call's one-time key in the address. The purpose of
 * the call is to check that these requests arrive.
 */
export async function registerTestCallWebhooks(app: FastifyInstance, context: GoLiveContext): Promise<void> {
  const { telephony, publicUrl, database } = context;
  if (!telephony) return;
  const config = { schema: { hide: true } };
  await registerSignedForms(app, { publicUrl, isSigned: telephony.isSigned }, (scope) => {
    scope.post("/api/twilio/voice/test-call", config, async (request, reply) => {
      const report = about(request, telephony);
      const call = report && (await receive(context, { ...report, isAnswered: true }));
      const language = (call && (await findOwnPhone(database.db, call.userId))?.language) || "en";
      const script = telephony.hangUp(call ? { text: words[language], language } : undefined);
      return reply.type(script.contentType).send(script.body);
    });
    scope.post("/api/twilio/voice/test-call-status", config, async (request, reply) => {
      const report = about(request, telephony);
      if (report) await receive(context, report);
      const script = telephony.acknowledge();
      return reply.type(script.contentType).send(script.body);
    });
  });
}
