import type { FastifyInstance } from "fastify";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError, textIn } from "./input.ts";

/** Browsers that subscribe at the push service, and the messages they received. */
export function pushControl(app: FastifyInstance, { push }: Sandbox): void {
  app.post("/control/push/browsers", async (request) => {
    const key = textIn(bodyOf(request), "applicationServerKey");
    if (!key) throw new ControlError("applicationServerKey must be a text");
    const { id, p256dh, auth } = push.subscribe(key);
    return { id, endpoint: `http://${request.host}/push/${id}`, keys: { p256dh, auth } };
  });

  app.delete<{ Params: { id: string } }>("/control/push/browsers/:id", async ({ params }) => {
    const browser = push.browser(params.id);
    if (!browser) throw new ControlError("no such browser", 404);
    push.end(browser);
    return { id: browser.id };
  });

  app.get<{ Querystring: { device?: string } }>("/control/push/messages", async ({ query }) => ({
    messages: push.messages.filter(({ device }) => !query.device || device === query.device),
  }));

  app.post("/control/push/rules", async (request) => {
    const { strict } = bodyOf(request);
    if (typeof strict !== "boolean") throw new ControlError("strict must be true or false");
    push.strict = strict;
    return { strict };
  });
}
