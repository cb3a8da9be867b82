import { createServer } from "node:http";
import { policyTable } from "../../apps/server/src/platform/http/policy-table.ts";
import { freePort } from "../../apps/server/src/testing/server-process.ts";

/** How each webhook is sent: this many times, in sequence or all at once. */
export interface Repetition {
  name: string;
  times: number;
  atOnce: boolean;
}

/** Whether requests to this path come from other systems. */
export const isWebhook = (path: string) =>
  path.startsWith("/api/webhook/") || policyTable[`POST ${path}`]?.access === "signed";

interface Sent {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * A proxy before the portal that sends every webhook as often as `repetition` says. The provider gets the last response, as after retries.
 */
export function repeater({ times, atOnce }: Repetition) {
  const sent: Sent[] = [];
  const faults: string[] = [];
  let target = "";
  const forward = async (method: string, { path, headers, body }: Sent) => {
    const isRead = method === "GET" || method === "HEAD";
    const answer = await fetch(target + path, {
      method,
      headers,
      redirect: "manual",
      ...(!isRead && { body: new Uint8Array(body) }),
    });
    return {
      status: answer.status,
      type: answer.headers.get("content-type") ?? "",
      text: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const {
      host: _,
      connection: __,
      "content-length": ___,
      ...headers
    } = incoming.headers as Record<string, string>;
    const request = { path: incoming.url ?? "/", headers, body: Buffer.concat(chunks) };
    const method = incoming.method ?? "GET";
    const [path = ""] = request.path.split("?");
    const count = method === "POST" && isWebhook(path) ? times : 1;
    if (method === "POST" && isWebhook(path)) sent.push(request);
    try {
      const answers = [];
      if (atOnce)
        answers.push(...(await Promise.all(Array.from({ length: count }, () => forward(method, request)))));
      else for (let n = 0; n < count; n += 1) answers.push(await forward(method, request));
      for (const { status } of answers)
        if (isWebhook(path) && status !== 200) faults.push(`${path} was answered ${status}`);
      const last = answers.at(-1);
      response.writeHead(last?.status ?? 502, { "content-type": last?.type ?? "text/plain" });
      response.end(last?.text);
    } catch (error) {
      faults.push(`${path}: ${String(error)}`);
      response.writeHead(502).end();
    }
  });
  return {
    sent,
    faults,
    async start(portalUrl: string) {
      target = portalUrl;
      const port = await freePort();
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
      const stop = async () => {
        server.closeAllConnections();
        server.close();
      };
      return { url: `http://127.0.0.1:${port}`, stop };
    },
    /** Sends all of them once more, like a provider that has lost its records. */
    async again() {
      for (const request of sent) {
        const { status } = await forward("POST", request);
        if (status !== 200) faults.push(`${request.path}, sent again at the end, was answered ${status}`);
      }
    },
  };
}
