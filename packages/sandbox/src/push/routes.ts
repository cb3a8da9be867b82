import type { FastifyInstance } from "fastify";
import type { Faults } from "../faults.ts";
import type { PushData } from "./push-data.ts";
import { vapidFault } from "./vapid.ts";

/** The size that push services must accept (RFC 8030 §7.2). */
const BODY_BYTES = 4_096;

/** The simulated push service of the browsers: RFC 8030, for senders that identify themselves (RFC 8292) and encrypt (RFC 8291). */
export function pushRoutes(data: PushData, faults: Faults) {
  return async (app: FastifyInstance): Promise<void> => {
    faults.guard(app, "push", (status) => ({ code: status, message: `Status ${status}` }));
    app.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );

    app.post<{ Params: { id: string } }>("/:id", async (request, reply) => {
      const { headers, body, params, host } = request;
      const refuse = (status: number, message: string) => reply.code(status).send({ code: status, message });
      const browser = data.browser(params.id);
      if (!browser) return refuse(404, "no such subscription");
      if (browser.isGone) return refuse(410, "the subscription has ended");
      if (!Buffer.isBuffer(body)) return refuse(400, "no message");
      if (data.strict) {
        const fault = vapidFault(headers.authorization, {
          audience: `http://${host}`,
          key: browser.applicationServerKey,
        });
        if (fault) return refuse(fault.status, fault.reason);
        if (!/^\d+$/.test(String(headers.ttl))) return refuse(400, "no TTL");
        if (headers["content-encoding"] !== "aes128gcm") return refuse(400, "not encrypted by aes128gcm");
        if (body.length > BODY_BYTES) return refuse(413, `more than ${BODY_BYTES} bytes`);
      }
      const urgency = headers.urgency === undefined ? null : String(headers.urgency);
      data.deliver(browser, body, { ttl: Number(headers.ttl), urgency });
      return reply.code(201).header("location", `/push/messages/${data.messages.length}`).send();
    });
  };
}
