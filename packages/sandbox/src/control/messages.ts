import type { FastifyInstance } from "fastify";
import { SYSTEM_NUMBER } from "../defaults.ts";
import { toE164 } from "../numbers.ts";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError, textIn } from "./input.ts";
import { presentSms } from "./views.ts";

const KEYWORDS = ["stop", "start", "help"] as const;

/** Lists sent SMS, and sends an SMS from any number to the system number. */
export function smsControl(app: FastifyInstance, sandbox: Sandbox): void {
  const { texts } = sandbox;

  app.get<{ Querystring: { number?: string } }>("/control/texts", async ({ query }) => {
    const number = query.number === undefined ? null : (toE164(query.number) ?? query.number);
    const rows = texts.rows.values();
    return {
      texts: rows
        .filter((row) => number === null || row.from === number || row.to === number)
        .map(presentSms),
    };
  });

  app.post("/control/opt-out", async (request) => {
    const { advanced, words = {} } = bodyOf(request);
    if (typeof advanced !== "boolean") throw new ControlError("advanced must be true or false");
    const entries = Object.entries(words as Record<string, unknown>).map(([word, kind]) => {
      const known = KEYWORDS.find((one) => one === kind);
      if (!known) throw new ControlError(`words must be each one of ${KEYWORDS.join(", ")}`);
      return [word.trim().toUpperCase(), known] as const;
    });
    texts.setAdvanced(advanced, Object.fromEntries(entries));
    return texts.advanced;
  });

  app.post("/control/texts", async (request, reply) => {
    const body = bodyOf(request);
    const from = toE164(textIn(body, "from") ?? "");
    const to = toE164(textIn(body, "to") ?? SYSTEM_NUMBER);
    const text = textIn(body, "body") ?? "";
    if (from === null) throw new ControlError("This is not a phone number");
    if (to === null || !sandbox.numbers.find(to))
      throw new ControlError(`to must be a number of the account, as ${SYSTEM_NUMBER} is`);
    if (text.trim() === "") throw new ControlError("body is empty");
    if (text.length > 1_600) throw new ControlError("body is longer than 1600 characters");
    return reply.code(201).send(presentSms(texts.receive({ from, to, body: text })));
  });
}
