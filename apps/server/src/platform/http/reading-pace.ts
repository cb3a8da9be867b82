import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const windowMs = 60_000;
const checkMs = 5_000;
/** A kilobyte a second: the slowest telephone network takes more. */
const leastBytes = 60 * 1024;

/** What a reader had taken at the beginning of a window in which something waited for it all the time. */
interface Mark {
  at: number;
  taken: number;
}

/** How much of all that was written to a connection has left this process: the socket itself counts what it was handed. */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/**
 * Ends answers whose reader takes less than 60 kB a minute while more waits for it: each byte begins the time limit for idle connections
 * anew, so that who takes one every few seconds would hold an answer and its memory for good. An answer that waits for
 * nothing, such as an event stream without events, may stay. Answers the check itself, which otherwise runs every 5 s.
 */
export function registerReadingPace(app: FastifyInstance): (now: number) => void {
  const open = new Map<ServerResponse, Mark | null>();
  app.server.on("request", (_request, response: ServerResponse) => {
    open.set(response, null);
    response.once("close", () => open.delete(response));
  });

  const check = (now: number): void => {
    for (const [response, mark] of open) {
      const { socket } = response;
      if (!socket || response.writableLength === 0) {
        open.set(response, null);
        continue;
      }
      const taken = takenFrom(socket);
      if (!mark || taken - mark.taken >= leastBytes) open.set(response, { at: now, taken });
      else if (now - mark.at >= windowMs) socket.destroy();
    }
  };

  const timer = setInterval(() => check(performance.now()), checkMs);
  timer.unref();
  app.addHook("onClose", () => clearInterval(timer));
  return check;
}
