import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const sweepMs = 50;
const shutdownMs = 9_000;
/** Requests have so long to end; the rest of the time is for jobs and database. */
const graceMs = 8_000;

/**
 * Watches the connections of an app that is about to listen. The answer closes it: nobody new comes in, requests under way are
 * answered, and a connection is closed as soon as it waits for nothing, so that browsers that keep them open do not hold it up.
 */
function watchConnections(app: FastifyInstance): () => Promise<void> {
  // Opened in advance and never used: Node counts these as busy.
  const silent = new Set<Socket>();
  app.server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  app.server.on("request", ({ socket }) => silent.delete(socket));

  return async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs);
    const closed = app.close();
    for (const socket of silent) socket.destroy();
    await closed.finally(() => clearInterval(sweep));
  };
}

/**
 * Prepares the end of an app that is about to listen. The answer ends the process, once: requests under way are answered, then `close`
 * closes the rest; whatever takes longer than 9 s is cut off.
 */
export function prepareGracefulShutdown(
  app: FastifyInstance,
  close: () => Promise<void>,
): (reason: string) => Promise<void> {
  const closeApp = watchConnections(app);
  let ending = false;
  return async (reason) => {
    if (ending) return;
    ending = true;
    app.log.info({ reason }, "portal ending");
    const overdue = setTimeout(() => process.exit(0), shutdownMs);
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    await closeApp();
    await close();
    clearTimeout(overdue);
    process.exit(0);
  };
}
