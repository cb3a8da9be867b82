import type { FastifyInstance } from "fastify";
import { twilioFailure } from "./errors.ts";

/** What the account lacks or leaves out; `POST /control/account` sets it. Kept in memory, as failures on demand are. */
export interface AccountSettings {
  /** The number may be shown by `<Dial>`; where not, the Dial fails (13214). */
  callerIdVerified: boolean;
  /** How numbers begin that voice geo permissions do not allow: 21215 at creation, a failed Dial (13227). */
  blockedPrefixes: string[];
  /** The only numbers that a trial account may call (21219 at creation, a failed Dial); null for a full account. */
  trialNumbers: string[] | null;
  /** Callbacks of a child leg name its parent. */
  parentCallSid: boolean;
  /** REST requests that may be under way at the same time; others are answered 20429. */
  requestsAtOnce: number;
}

export const FULL_ACCOUNT: AccountSettings = {
  callerIdVerified: true,
  blockedPrefixes: [],
  trialNumbers: null,
  parentCallSid: true,
  requestsAtOnce: 100,
};

/** The account as far as it says no. */
export class Account {
  settings: AccountSettings = { ...FULL_ACCOUNT };
  #underWay = 0;

  /** Why a number may not be called, as Twilio's debugger says it in a Dial and its REST API at creation; null where it may. */
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
  tell({ ParentCallSid, ...params }: Record<string, string>): Record<string, string> {
    return ParentCallSid && this.settings.parentCallSid ? { ...params, ParentCallSid } : params;
  }

  /** Answers 20429 to those REST requests that come while too many are under way: they are not carried out. */
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
