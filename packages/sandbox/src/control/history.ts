import type { FastifyInstance } from "fastify";
import { type History, historyLists } from "../history.ts";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError } from "./input.ts";

/** Maximum size of a history. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** Replaces the present state by a history, with which a demo fills the sandbox. Sends no webhooks about it. */
export function historyControl(app: FastifyInstance, sandbox: Sandbox): void {
  app.put("/control/history", { bodyLimit: BODY_LIMIT }, async (request) => {
    const body = bodyOf(request);
    const missing = historyLists.filter((name) => !Array.isArray(body[name]));
    if (missing.length > 0) throw new ControlError(`${missing.join(", ")} must be lists`);
    sandbox.fill(body as unknown as History);
    return Object.fromEntries(historyLists.map((name) => [name, (body[name] as unknown[]).length]));
  });
}
