import type { FastifyInstance } from "fastify";
import { toE164 } from "../numbers.ts";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError, textIn } from "./input.ts";

/** The Twilio account: further numbers, its auth tokens, and the content of its TwiML Bins. */
export function accountControl(app: FastifyInstance, { numbers, tokens, bins }: Sandbox): void {
  app.post("/control/numbers", async (request, reply) => {
    const number = toE164(textIn(bodyOf(request), "number") ?? "");
    if (number === null) throw new ControlError("number is not a phone number");
    const { sid, phoneNumber } = numbers.add(number);
    return reply.code(201).send({ sid, number: phoneNumber });
  });

  app.post("/control/auth-tokens", async (request) => {
    const body = bodyOf(request);
    const primary = textIn(body, "primary");
    if (!primary) throw new ControlError("primary must be a text");
    tokens.set(primary, textIn(body, "secondary") ?? null);
    return { primary: tokens.primary, secondary: tokens.secondary };
  });

  app.post("/control/bins", async (request) => {
    const body = bodyOf(request);
    return Object.assign(bins, {
      number: textIn(body, "number") ?? null,
      call: textIn(body, "call") ?? null,
    });
  });
}
