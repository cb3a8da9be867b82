import type { FastifyInstance } from "fastify";
import { twilioFailure } from "./errors.ts";

/** Restrictions of the account, set by `POST /control/account`. In memory only, like simulated failures. */
export interface AccountSettings {
  /** `<Dial>` may show the number; otherwise the Dial fails (13214). */
  callerIdVerified: boolean;
  /** Prefixes of numbers that voice geo permissions do not allow: 21215 at creation, a failed Dial (13227). */
  blockedPrefixes: string[];
  /** The only numbers that a trial account may call (21219 at creation, a failed Dial); null for a full account. */
  trialNumbers: string[] | null;
  /** Callbacks of a child leg contain its parent. */
  parentCallSid: boolean;
  /** Number of concurrent REST requests; further ones get 20429. */
  requestsAtOnce: number;
}

export const FULL_ACCOUNT: AccountSettings = {
  callerIdVerified: true,
  blockedPrefixes: [],
  trialNumbers: null,
  parentCallSid: true,
  requestsAtOnce: 100,
};

/** The account and its refusals. */
export class Account {
  settings: AccountSettings = { ...FULL_ACCOUNT };
  #underWay = 0;

  /** Why a number may not be called: the texts of Twilio's debugger for a Dial and of its REST API at creation; null if it may. */
  refusalOf(number: string): { dial: string; code: number; message: string } | null {
    const { blockedPrefixes, trialNumbers } = this.settings;
    if (blockedPrefixes.some((prefix) => number.startsWith(prefix)))
      return {
        dial: "13227 Dial: geo permissions do not permit this call",
        code: 21215,
        message:
          "Account not authorized to call this number. Perhaps you need to enable some international permissions",
      };
    if (trialNumbers && !trialNumbers.includes(number))
      return {
        dial: "21219 Dial: the number is not verified for a trial account",
        code: 21219,
        message: "The number is unverified. Trial accounts may only make calls to verified numbers.",
      };
    return null;
  }

  /** The parameters of a request about a leg, as this account sends them. */
  withAccount({ ParentCallSid, ...params }: Record<string, string>): Record<string, string> {
    return ParentCallSid && this.settings.parentCallSid ? { ...params, ParentCallSid } : params;
  }

  /** Responds with 20429 to REST requests above the limit of concurrent ones: they are not carried out. */
  limit(app: FastifyInstance): void {
    app.addHook("onRequest", async (request, reply) => {
      this.#underWay += 1;
      reply.raw.once("close", () => {
        this.#underWay -= 1;
      });
      if (this.#underWay > this.settings.requestsAtOnce)
        return reply.code(429).send(twilioFailure(429, request.url));
    });
  }
}
