import type { ErrorBody } from "@portal/contract/errors";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { postgresCode } from "../db/client.ts";
import { ProviderError } from "../ports/provider-error.ts";
import { AppError } from "./app-error.ts";

/** PostgreSQL classes that mean "not now": connection, rolled back for another's sake, resources, operator, time-out, read-only. */
const unavailableState = /^(08|40|53|57P|57014|25006)/;
const connectionFaults =
  /timeout exceeded when trying to connect|Connection terminated|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|Query read timeout|is not queryable|Cannot use a pool/;

function isDatabaseFault(error: unknown): boolean {
  const code = postgresCode(error);
  if (code && (unavailableState.test(code) || connectionFaults.test(code))) return true;
  const { message, cause } = error as { message?: string; cause?: unknown };
  return (
    connectionFaults.test(message ?? "") || (cause !== undefined && cause !== error && isDatabaseFault(cause))
  );
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

/** The one place that turns a thrown error into an answer: 4xx texts are shown, 5xx texts stay in the log. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ProviderError) return fromProvider(error);
  if (isDatabaseFault(error)) return new AppError("unavailable");
  return fromFastify(error as FastifyError);
}

function answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toAppError(error);
  if (refusal.status >= 500) request.log.error({ err: error, code: refusal.code }, "request failed");
  else request.log.info({ code: refusal.code, status: refusal.status }, "request refused");
  const body: ErrorBody = {
    message: refusal.message,
    code: refusal.code,
    requestId: request.id,
    ...refusal.extras,
  };
  if (refusal.extras.retryAfterSeconds) reply.header("retry-after", refusal.extras.retryAfterSeconds);
  return reply.status(refusal.status).type("application/json; charset=utf-8").send(JSON.stringify(body));
}

/** Errors and unknown paths under /api answer JSON with `message`; no stack, SQL or path leaves the server. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(answer);
}

/** Answer for a path that does not exist under /api, or that the router refuses to read. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply) {
  return answer(new AppError("not_found"), request, reply);
}
