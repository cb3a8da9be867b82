import type { ErrorBody, ErrorCode } from "@portal/contract/errors";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { ProviderError } from "../../ports/provider-error.ts";
import { postgresCode } from "../db/client.ts";
import { driverFault } from "../db/database-fault.ts";
import { AppError } from "./app-error.ts";

/** PostgreSQL error classes of temporary failures: connection, serialization or deadlock, resources, operator, time-out, read-only. */
const unavailableState = /^(08|40|53|57P|57014|25006)/;
/** Operating system codes of a refused or lost connection. */
const connectionCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT)$/;

/** Default of Retry-After in seconds. A missing provider waits for a person to configure it. */
const defaultWaits: Partial<Record<ErrorCode, number>> = { unavailable: 5, provider_off: 60 };

/** Retry-After in seconds for an event that could not be stored. */
const repeatSeconds = 600;

function isDatabaseFault(error: unknown): boolean {
  const code = postgresCode(error);
  if (code && (unavailableState.test(code) || connectionCodes.test(code))) return true;
  return driverFault(error) !== null;
}

function fromProvider(error: ProviderError): AppError {
  if (error.kind === "invalid") return new AppError("provider_refused", error.message);
  const seconds = error.retryAfterSeconds;
  return new AppError("provider_unavailable", error.message, seconds ? { retryAfterSeconds: seconds } : {});
}

function fromFastify(error: FastifyError): AppError {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation;
    const field = first?.instancePath.replace(/^\//, "").replaceAll("/", ".");
    return new AppError(
      "invalid",
      field ? `${field}: ${first?.message}` : (first?.message ?? "Invalid request"),
    );
  }
  if (error.statusCode === 413) return new AppError("too_large", "The request is too large.");
  if (error.statusCode === 415) return new AppError("unsupported_media_type", "Send the body as JSON.");
  if (error.statusCode === 503) return new AppError("unavailable");
  if (error.statusCode && error.statusCode < 500) return new AppError("invalid", error.message);
  return new AppError("internal");
}

/** Turns every thrown error into a response: texts of 4xx errors are shown, texts of 5xx errors only logged. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ProviderError) return fromProvider(error);
  if (isDatabaseFault(error)) return new AppError("unavailable");
  return fromFastify(error as FastifyError);
}

function answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toAppError(error);
  // A provider that is not configured is not a server fault: it is logged as one line without a stack.
  const isFault = refusal.status >= 500 && refusal.code !== "provider_off";
  if (isFault) request.log.error({ err: error, code: refusal.code }, "request failed");
  else request.log.info({ code: refusal.code, status: refusal.status }, "request refused");
  const body: ErrorBody = {
    message: refusal.message,
    code: refusal.code,
    requestId: request.id,
    ...refusal.extras,
  };
  const seconds = refusal.extras.retryAfterSeconds ?? defaultWaits[refusal.code];
  if (seconds) reply.header("retry-after", seconds);
  return reply.status(refusal.status).type("application/json; charset=utf-8").send(JSON.stringify(body));
}

/**
 * For a provider that repeats an event only after 429: failures of our own (no database, overload, a bug) become 429. Errors of the
 * request itself keep their status.
 */
export function answerToBeRepeated(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toAppError(error);
  if (refusal.status < 500) return answer(refusal, request, reply);
  request.log.error({ err: error }, "event not stored");
  return answer(
    new AppError("rate_limited", "The event could not be stored. Send it again.", {
      retryAfterSeconds: repeatSeconds,
    }),
    request,
    reply,
  );
}

/** While the process is overloaded, only API requests are refused: the page and its files cost next to nothing. */
export function refuseUnderPressure(request: FastifyRequest): void {
  if (request.url.startsWith("/api/")) throw new AppError("unavailable");
}

/** Errors and unknown paths under /api get JSON with `message`. No stack, SQL or file path is sent. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(answer);
}

/** Response for an unknown path under /api, and for one that the router cannot parse. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply) {
  return answer(new AppError("not_found"), request, reply);
}
