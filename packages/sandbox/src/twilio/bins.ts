import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OFFICE_LINE } from "../defaults.ts";
import type { AuthTokens } from "./auth-tokens.ts";
import { signForm } from "./signature.ts";

const TRIES = 5;

/** TwiML of the bins; null for the operations guide's. In memory only. */
export interface BinScripts {
  number: string | null;
  call: string | null;
}

interface Bin {
  Querystring: Record<string, string>;
  Body: Record<string, string> | undefined;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function document(...verbs: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs.join("")}</Response>`;
}

/** The number of the last failed attempt, from the address that did not respond to Twilio; 0 if it is not one of ours. */
function triesOf(errorUrl: string): number {
  return Number(/[?&]try=(\d)(&|$)/.exec(errorUrl)?.[1] ?? 0);
}

/** Whether the account signed the request: Twilio's bins and protected functions accept no others. */
function isSigned(request: FastifyRequest<Bin>, tokens: AuthTokens): boolean {
  const url = `${request.protocol}://${request.host}${request.url}`;
  return tokens
    .all()
    .some((token) => signForm(token, url, request.body ?? {}) === request.headers["x-twilio-signature"]);
}

/**
 * The fallbacks while the portal does not respond, set up at Twilio as in the operations guide: the number's TwiML Bin, and the fallback of
 * outbound calls. `portalUrl` null: the portal is at the last requested address. Requests without a signature get 403.
 */
export function fallbackBins(
  app: FastifyInstance,
  { portalUrl, tokens, texts }: { portalUrl: string | null; tokens: AuthTokens; texts: BinScripts },
): void {
  const bin = (url: string, textOf: (asked: Record<string, string>) => string) =>
    app.route<Bin>({
      method: ["GET", "POST"],
      url,
      handler: async (request, reply): Promise<FastifyReply> => {
        if (!isSigned(request, tokens)) return reply.code(403).send("Not Authorized");
        return reply.type("text/xml; charset=utf-8").send(textOf({ ...request.query, ...request.body }));
      },
    });

  bin(
    "/bins/number-fallback",
    () =>
      texts.number ??
      document(
        '<Say language="es-MX">Un momento, por favor.</Say>',
        `<Dial timeout="30">${OFFICE_LINE}</Dial>`,
      ),
  );

  bin("/bins/call-fallback", ({ call = "", ErrorUrl: failed = "" }) => {
    const portal = portalUrl ?? (URL.canParse(failed) ? new URL(failed).origin : "");
    const next = triesOf(failed) + 1;
    const again = `${portal}/api/twilio/voice/answered?call=${encodeURIComponent(call)}&try=${next}`;
    if (texts.call !== null) return texts.call;
    return next > TRIES
      ? document('<Say language="es-MX">La llamada no puede continuar. Adiós.</Say>', "<Hangup/>")
      : document(
          '<Say language="es-MX">Un momento, por favor.</Say>',
          '<Pause length="10"/>',
          `<Redirect method="POST">${escaped(again)}</Redirect>`,
        );
  });
}
