import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import twilio from "twilio";
import { TWILIO_AUTH_TOKEN } from "../defaults.ts";

export interface ReceivedWebhook {
  path: string;
  params: Record<string, string>;
  token: string;
  contentType: string;
  /** Whether the official SDK accepts the signature. */
  valid: boolean;
}

/** Response of the receiver: TwiML, a status code, an empty document (undefined), or none (null). */
export type Answer = string | number | undefined | null;

/** A minimal substitute for the portal's webhook routes that records requests. */
export async function startReceiver(respond: (webhook: ReceivedWebhook, url: string) => Answer): Promise<{
  url: string;
  received: ReceivedWebhook[];
  at: (path: string) => ReceivedWebhook[];
  close: () => Promise<void>;
}> {
  const received: ReceivedWebhook[] = [];
  let url = "";
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const params = Object.fromEntries(new URLSearchParams(body));
      const signature = String(request.headers["x-twilio-signature"]);
      const webhook: ReceivedWebhook = {
        path: request.url ?? "",
        params,
        token: String(request.headers["i-twilio-idempotency-token"]),
        contentType: String(request.headers["content-type"]),
        valid: twilio.validateRequest(TWILIO_AUTH_TOKEN, signature, `${url}${request.url}`, params),
      };
      received.push(webhook);
      const answer = respond(webhook, url);
      if (answer === null) return;
      response.statusCode = typeof answer === "number" ? answer : 200;
      response.setHeader("content-type", "text/xml");
      response.end(typeof answer === "string" ? answer : "<Response/>");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    at: (path) => received.filter((webhook) => webhook.path.startsWith(path)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Responses of a portal to a click-to-call: press 1, then the lead. BASE is replaced by the receiver's own address. */
export function clickToCall(lead: string, number: { attributes?: string; dial?: string } = {}) {
  return ({ path, params }: ReceivedWebhook, url: string): Answer => {
    if (path.startsWith("/answer")) {
      return `<?xml version="1.0" encoding="UTF-8"?><Response><Gather numDigits="1" timeout="6" action="/confirm?log=42&amp;x=%C3%A1" method="POST"><Say>Press 1 to call the lead.</Say></Gather><Hangup/></Response>`;
    }
    if (path.startsWith("/confirm")) {
      if (params.Digits !== "1") return "<Response><Hangup/></Response>";
      return `<Response><Dial callerId="+12125550100" timeout="20" timeLimit="7200" action="BASE/done?log=42" ${number.dial ?? ""}><Number statusCallback="BASE/leg" statusCallbackEvent="initiated ringing answered completed" ${number.attributes ?? ""}>${lead}</Number></Dial></Response>`.replaceAll(
        "BASE",
        url,
      );
    }
    if (path.startsWith("/notice")) return "<Response><Say>This call is recorded.</Say></Response>";
    return undefined;
  };
}
