import type { FastifyInstance } from "fastify";
import type { Sandbox } from "../sandbox.ts";
import { type AccountSettings, FULL_ACCOUNT } from "../twilio/account.ts";
import { bodyOf, ControlError, numberIn } from "./input.ts";

/** Restrictions of the Twilio account; settings missing in the body are reset to those of an unrestricted account. */
export function accountLimitsControl(app: FastifyInstance, { account }: Sandbox): void {
  app.get("/control/account", async () => account.settings);

  app.post("/control/account", async (request) => {
    const body = bodyOf(request);
    const flag = (name: "callerIdVerified" | "parentCallSid") => {
      const value = body[name] ?? FULL_ACCOUNT[name];
      if (typeof value !== "boolean") throw new ControlError(`${name} must be true or false`);
      return value;
    };
    const numbers = (name: "blockedPrefixes" | "trialNumbers") => {
      const value = body[name] ?? FULL_ACCOUNT[name];
      if (value !== null && !(Array.isArray(value) && value.every((one) => typeof one === "string")))
        throw new ControlError(`${name} must be a list of numbers`);
      return value as string[] | null;
    };
    account.settings = {
      callerIdVerified: flag("callerIdVerified"),
      blockedPrefixes: numbers("blockedPrefixes") ?? [],
      trialNumbers: numbers("trialNumbers"),
      parentCallSid: flag("parentCallSid"),
      requestsAtOnce: numberIn(body, "requestsAtOnce", FULL_ACCOUNT.requestsAtOnce),
    } satisfies AccountSettings;
    return account.settings;
  });
}
