import { randomUUID } from "node:crypto";

const NAMES: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
};

/** The error body of HighLevel's API. */
export function ghlErrorBody(status: number, message: string | string[]): Record<string, unknown> {
  const error = NAMES[status];
  return { statusCode: status, message, ...(error ? { error } : {}), traceId: randomUUID() };
}

export function ghlFailure(status: number, path: string): Record<string, unknown> {
  if (status === 401) return ghlErrorBody(401, "Invalid token: access token is invalid");
  if (status === 404) return ghlErrorBody(404, `Cannot find ${path.replace(/^\/ghl/, "").split("?", 1)[0]}`);
  if (status === 422) return ghlErrorBody(422, ["Unprocessable Entity"]);
  if (status === 429) return ghlErrorBody(429, "Too Many Requests");
  return ghlErrorBody(status, status >= 500 ? "Internal server error" : "Bad Request");
}

/** Thrown by the routes and sent with the vendor's body. */
export class GhlError extends Error {
  readonly statusCode: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, message: string | string[]) {
    super(String(message));
    this.statusCode = status;
    this.body = ghlErrorBody(status, message);
  }
}
