import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const sweepMs = 50;
const shutdownMs = 9_000;
/** How long requests may take to end; the rest of the time is for jobs and the database. */
const graceMs = 8_000;

/**
 * Tracks the connections of an app before it listens. The returned function closes the app: it accepts no new connections, lets requests
 * under way finish, and closes each connection once it is idle, so that kept-alive browser connections do not delay the end.
 */
function watchConnections(app: FastifyInstance): () => Promise<void> {
  // Connections that browsers open in advance and never use: Node counts them as busy.
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
 * Prepares the shutdown of an app before it listens. The returned function ends the process, once: requests under way finish, then `close`
 * closes the rest; after 9 s the process exits regardless.
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
