import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const sweepMs = 50;

/**
 * Watches the connections of an app that is about to listen. The answer closes it: nobody new comes in, requests under way are
 * answered, and a connection is closed as soon as it waits for nothing, so that browsers that keep them open do not hold it up.
 */
export function watchConnections(app: FastifyInstance): () => Promise<void> {
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
