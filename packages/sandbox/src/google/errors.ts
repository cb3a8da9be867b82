const REASONS: Record<number, [reason: string, message: string]> = {
  400: ["invalid", "Invalid Value"],
  401: ["authError", "Invalid Credentials"],
  403: ["rateLimitExceeded", "Rate Limit Exceeded"],
  404: ["notFound", "Not Found"],
  409: ["duplicate", "The requested identifier already exists."],
  410: ["deleted", "Resource has been deleted"],
  412: ["conditionNotMet", "Precondition Failed"],
  429: ["rateLimitExceeded", "Rate Limit Exceeded"],
};
const DOMAINS: Record<number, string> = { 403: "usageLimits", 410: "calendar", 429: "usageLimits" };

/** The error body of Google's APIs. https://developers.google.com/workspace/calendar/api/guides/errors */
function googleErrorBody(status: number, reason?: string, message?: string): Record<string, unknown> {
  const [usualReason, usualMessage] = REASONS[status] ?? ["backendError", "Backend Error"];
  const words = message ?? usualMessage;
  const domain = reason === "domainPolicy" ? "global" : (DOMAINS[status] ?? "global");
  const error = { domain, reason: reason ?? usualReason, message: words };
  return { error: { errors: [error], code: status, message: words } };
}

/** The body of a simulated failure: errors of the token endpoint have their own format (RFC 6749). */
export function googleFailure(status: number, path: string): Record<string, unknown> {
  if (!path.startsWith("/google/")) return googleErrorBody(status);
  return status === 400
    ? { error: "invalid_grant", error_description: "Token has been expired or revoked." }
    : { error: "internal_failure", error_description: "Backend Error" };
}

/** Thrown by the routes and sent with the vendor's body. */
export class GoogleError extends Error {
  readonly statusCode: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, reason?: string, message?: string) {
    super(message ?? reason ?? String(status));
    this.statusCode = status;
    this.body = googleErrorBody(status, reason, message);
  }
}
