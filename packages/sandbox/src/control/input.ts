import type { FastifyRequest } from "fastify";

/** An invalid control request: 400 with this message. */
export class ControlError extends Error {
  readonly statusCode: number;

  constructor(message: string, statusCode = 400) {
    super(message);
    this.statusCode = statusCode;
  }
}

export function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

/** A number of the body, or the fallback when it is missing. Errors: `ControlError`. */
export function numberIn(body: Record<string, unknown>, name: string, fallback: number): number {
  const value = body[name];
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !(value >= 0))
    throw new ControlError(`${name} must be a number, 0 or more`);
  return value;
}

export function textIn(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new ControlError(`${name} must be a text`);
  return value;
}
