import type { FastifyInstance } from "fastify";
import { OFFICE_LINE } from "../defaults.ts";

const TRIES = 5;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function document(...verbs: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs.join("")}</Response>`;
}

/** The try that failed last, from the address that Twilio got no answer from; 0 where it was none of ours. */
function triesOf(errorUrl: string): number {
  return Number(/[?&]try=(\d)(&|$)/.exec(errorUrl)?.[1] ?? 0);
}

/**
 * What Twilio falls back to when the portal does not answer, as the operations guide has it set up there: the number's TwiML Bin, and what
 * the calls that we start fall back to. `portalUrl` null: the portal is where Twilio asked last.
 */
export function fallbackBins(app: FastifyInstance, portalUrl: string | null): void {
  app.route({
    method: ["GET", "POST"],
    url: "/bins/number-fallback",
    handler: async (_request, reply) =>
      reply
        .type("text/xml; charset=utf-8")
        .send(
          document(
            '<Say language="es-MX">Un momento, por favor.</Say>',
            `<Dial timeout="30">${OFFICE_LINE}</Dial>`,
          ),
        ),
  });

  app.route<{ Querystring: { call?: string }; Body: { ErrorUrl?: string } | undefined }>({
    method: ["GET", "POST"],
    url: "/bins/call-fallback",
    handler: async ({ query, body }, reply) => {
      const failed = body?.ErrorUrl ?? "";
      const portal = portalUrl ?? (URL.canParse(failed) ? new URL(failed).origin : "");
      const next = triesOf(failed) + 1;
      const again = `${portal}/api/twilio/voice/answered?call=${encodeURIComponent(query.call ?? "")}&try=${next}`;
      const verbs =
        next > TRIES
          ? ['<Say language="es-MX">La llamada no puede continuar. Adiós.</Say>', "<Hangup/>"]
          : [
              '<Say language="es-MX">Un momento, por favor.</Say>',
              '<Pause length="10"/>',
              `<Redirect method="POST">${escaped(again)}</Redirect>`,
            ];
      return reply.type("text/xml; charset=utf-8").send(document(...verbs));
    },
  });
}
