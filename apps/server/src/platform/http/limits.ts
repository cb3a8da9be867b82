import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import rateLimit from "@fastify/rate-limit";
import { endCall, endInboundCall } from "@portal/contract/routes/calls";
import { closeDialer, commandDialer } from "@portal/contract/routes/dialer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "./app-error.ts";

const againSeconds = 10;

/** Allowed requests for each key, by default the address, within a window in ms. */
interface Pace {
  max: number;
  timeWindow: number;
  keyGenerator?: (request: FastifyRequest) => string;
}

/**
 * Counts requests in this process. The function counts a request and returns the error to refuse it with once there are too many, else null.
 * Error: `rate_limited` with `message`.
 */
export function createPace(
  app: FastifyInstance,
  pace: Pace,
  message: string,
): (request: FastifyRequest) => Promise<AppError | null> {
  const count = app.createRateLimit(pace);
  return async (request) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return null;
    return new AppError("rate_limited", message, { retryAfterSeconds: counted.ttlInSeconds });
  };
}

/** Routes that end a call or control a session: never rate-limited, so that nobody is rung against a person's will. */
const endings = new Set<string | undefined>(
  [endCall, endInboundCall, commandDialer, closeDialer].map(({ path }) => path),
);

/**
 * Limits each user's requests in this process to far more than a person's work needs: a page or program that repeats requests in a loop is
 * stopped, and other users are not affected. Not counted are event streams, which browsers open by themselves, routes that end a call or
 * command the dialer, and routes without a session, such as callbacks of providers. Errors: `rate_limited`.
 */
export function registerUserLimit(app: FastifyInstance, { perMinute }: { perMinute: number }): void {
  const keyGenerator = ({ session }: FastifyRequest) => String(session.userId);
  const refuse = createPace(
    app,
    { max: perMinute, timeWindow: 60_000, keyGenerator },
    "Too many requests. Please wait.",
  );
  app.addHook("onRequest", async (request) => {
    const { config, url } = request.routeOptions;
    if ((config.access !== "user" && config.access !== "admin") || config.unattended || endings.has(url))
      return;
    const refusal = await refuse(request);
    if (refusal) throw refusal;
  });
}

/**
 * Limits concurrent streamed responses (exports, whole lists, recordings) for each user and in this process, because each holds memory
 * until its reader is done. Errors: `rate_limited`.
 */
export function registerDownloadLimit(
  app: FastifyInstance,
  most: { perUser: number; perProcess: number },
): void {
  const open = new Map<number, number>();
  let total = 0;

  app.addHook("onSend", (request, reply, payload, done) => {
    const userId = request.session?.userId;
    if (userId === undefined || !(payload instanceof Readable)) return done(null, payload);
    const own = open.get(userId) ?? 0;
    if (own >= most.perUser || total >= most.perProcess) {
      payload.destroy();
      for (const name of ["content-disposition", "content-length", "content-range"]) reply.removeHeader(name);
      return done(
        new AppError("rate_limited", "Too many downloads at once. Wait until one of them has ended.", {
          retryAfterSeconds: againSeconds,
        }),
      );
    }
    open.set(userId, own + 1);
    total += 1;
    reply.raw.once("close", () => {
      total -= 1;
      const left = (open.get(userId) ?? 1) - 1;
      if (left > 0) open.set(userId, left);
      else open.delete(userId);
    });
    return done(null, payload);
  });
}

declare module "fastify" {
  interface FastifyInstance {
    /** Counts a webhook request without a valid signature, and returns the error to refuse it with. */
    refuseSignature(request: FastifyRequest): Promise<AppError>;
  }
}

/** Allowed unsigned requests for each address over all webhooks of this process; the 5,000 latest addresses are counted. */
const forgeries = { max: 100, timeWindow: 60_000 };

/**
 * Limits unsigned webhook requests by address. Signed requests are never counted, even from the same address: a provider's event must not
 * be lost because somebody forges others.
 */
export async function registerSignatureFailureLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false });
  const refuse = createPace(app, forgeries, "Too many requests whose signature does not fit.");
  app.decorate("refuseSignature", async (request: FastifyRequest) => {
    const path = request.url.split("?")[0];
    request.log.warn({ path, address: request.ip }, "webhook refused: signature");
    const refusal = await refuse(request);
    return refusal ?? new AppError("signature_invalid", "The signature does not fit the request.");
  });
}

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
