import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import twilio from "twilio";
import { buildTestApp } from "./test-app.ts";

const authToken = "token-of-the-tests";
const accountSid = `AC${"7".repeat(32)}`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The app with a telephony provider that answers what a test says, request by request. */
export async function openProviderDouble(env: Record<string, string> = {}) {
  const asked: { path: string; range: string | undefined; authorization: string | undefined }[] = [];
  let answer: Answer = (_request, response) => void response.writeHead(404).end("{}");
  const server = createServer((request, response) => {
    const { range, authorization } = request.headers;
    asked.push({ path: request.url ?? "", range, authorization });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const portal = await buildTestApp({
    listen: true,
    env: {
      TWILIO_ACCOUNT_SID: accountSid,
      TWILIO_AUTH_TOKEN: authToken,
      TWILIO_PHONE_NUMBER: "+12125550100",
      TWILIO_BASE_URL: `http://127.0.0.1:${port}`,
      ...env,
    },
  });
  return {
    portal,
    pool: portal.deps.database.pool,
    asked,
    authToken,
    answers(next: Answer) {
      answer = next;
      asked.length = 0;
    },
    /** A request as the provider signs it; the fragment of an address is never sent. */
    async webhook(pathOrUrl: string, params: Record<string, string>, token = authToken) {
      const url = new URL(pathOrUrl, portal.url);
      url.hash = "";
      const response = await fetch(url, {
        method: "POST",
        body: new URLSearchParams(params),
        headers: { "x-twilio-signature": twilio.getExpectedTwilioSignature(token, url.href, params) },
      });
      return { status: response.status, body: await response.text() };
    },
    async close() {
      await portal.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type ProviderDouble = Awaited<ReturnType<typeof openProviderDouble>>;
