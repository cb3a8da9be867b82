import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OFFICE_LINE } from "../defaults.ts";
import type { AuthTokens } from "./auth-tokens.ts";
import { signForm } from "./signature.ts";

const TRIES = 5;

/** What the bins answer in place of the guide's text; null: that text. Kept in memory. */
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

/** The try that failed last, from the address that Twilio got no answer from; 0 where it was none of ours. */
function triesOf(errorUrl: string): number {
  return Number(/[?&]try=(\d)(&|$)/.exec(errorUrl)?.[1] ?? 0);
}

/** Whether the account signed it: Twilio's bins and protected functions answer nobody else. */
function isSigned(request: FastifyRequest<Bin>, tokens: AuthTokens): boolean {
  const url = `${request.protocol}://${request.host}${request.url}`;
  return tokens
    .all()
    .some((token) => signForm(token, url, request.body ?? {}) === request.headers["x-twilio-signature"]);
}

/**
 * What Twilio falls back to when the portal does not answer, as the operations guide has it set up there: the number's TwiML Bin, and what
 * the calls that we start fall back to. `portalUrl` null: the portal is where Twilio asked last. Who does not sign is answered 403.
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
