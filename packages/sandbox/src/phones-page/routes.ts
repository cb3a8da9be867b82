import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { presentPhones } from "../control/views.ts";
import type { Sandbox } from "../sandbox.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
const FILES = [
  ["/phones", "phones.html", "text/html; charset=utf-8"],
  ["/phones/phones.css", "phones.css", "text/css; charset=utf-8"],
  ["/phones/phones.js", "phones.js", "text/javascript; charset=utf-8"],
  ["/phones/page.js", "page.js", "text/javascript; charset=utf-8"],
  ["/phones/messages.js", "messages.js", "text/javascript; charset=utf-8"],
] as const;
/** Changes within this time are sent to the page as one. */
const GATHER_MS = 60;
const KEEP_ALIVE_MS = 20_000;

/** The page with the simulated phones, and the event stream that updates it. */
export function phonesPage(app: FastifyInstance, sandbox: Sandbox): void {
  for (const [path, file, type] of FILES) {
    const content = readFileSync(new URL(file, import.meta.url));
    app.get(path, async (_request, reply) =>
      reply
        .header("content-security-policy", POLICY)
        .header("x-content-type-options", "nosniff")
        .header("cache-control", "no-cache")
        .type(type)
        .send(content),
    );
  }

  app.get("/phones/state", async () => presentPhones(sandbox));

  app.get("/phones/events", (request, reply) => {
    reply.hijack();
    const stream = reply.raw;
    stream.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const send = (): void => {
      stream.write(`data: ${JSON.stringify(presentPhones(sandbox))}\n\n`);
    };
    let planned: NodeJS.Timeout | undefined;
    const plan = (): void => {
      planned ??= setTimeout(() => {
        planned = undefined;
        send();
      }, GATHER_MS);
    };
    const unwatch = sandbox.watch(plan);
    const keepAlive = setInterval(() => stream.write(": still here\n\n"), KEEP_ALIVE_MS);
    request.raw.once("close", () => {
      unwatch();
      clearInterval(keepAlive);
      clearTimeout(planned);
    });
    send();
  });
}
