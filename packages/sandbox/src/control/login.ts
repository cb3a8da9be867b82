import type { FastifyInstance } from "fastify";
import { type TokenFault, tokenFaults } from "../login/login-data.ts";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError, numberIn, textIn } from "./input.ts";

const COUNT_LIMIT = 100;

/** Accounts of the login provider, and faults of its tokens. */
export function loginControl(app: FastifyInstance, { login }: Sandbox): void {
  app.get("/control/login/people", async () => ({ people: login.people() }));

  app.post("/control/login/people", async (request) => {
    const body = bodyOf(request);
    const sub = textIn(body, "sub");
    if (!sub) throw new ControlError("sub must be a text");
    const before = login.person(sub);
    const verified = body.emailVerified ?? before?.emailVerified ?? true;
    if (typeof verified !== "boolean") throw new ControlError("emailVerified must be true or false");
    const person = {
      sub,
      name: textIn(body, "name") ?? before?.name ?? sub,
      email: textIn(body, "email") ?? before?.email ?? `${sub}@example.com`,
      emailVerified: verified,
    };
    login.savePerson(person);
    return person;
  });

  app.post("/control/login/tokens", async (request) => {
    const body = bodyOf(request);
    const fault = textIn(body, "fault") as TokenFault | undefined;
    if (!fault || !tokenFaults.includes(fault))
      throw new ControlError(`fault must be one of ${tokenFaults.join(", ")}`);
    const count = numberIn(body, "count", 1);
    if (!Number.isInteger(count) || count > COUNT_LIMIT)
      throw new ControlError(`count must be a whole number up to ${COUNT_LIMIT}`);
    login.faults.push(...Array<TokenFault>(count).fill(fault));
    return { faults: login.faults };
  });

  app.delete("/control/login/tokens", async () => {
    login.faults = [];
    return { faults: login.faults };
  });
}
