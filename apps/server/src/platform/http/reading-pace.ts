import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const windowMs = 60_000;
const checkMs = 5_000;
/** One kilobyte per second: even the slowest mobile network is faster. */
const leastBytes = 60 * 1024;

/** What a reader had received at the start of a window during which data was always waiting for it. */
interface Mark {
  at: number;
  taken: number;
}

/** Bytes that have left this process on a connection; the socket's own count includes what is still buffered. */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/**
 * Ends responses whose reader takes less than 60 kB a minute while data waits for it: every byte restarts the time-out for idle connections,
 * so a reader of one byte every few seconds would hold a response and its memory for ever. A response with nothing to send, such as an
 * event stream without events, stays open. Returns the check, which otherwise runs every 5 s.
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
