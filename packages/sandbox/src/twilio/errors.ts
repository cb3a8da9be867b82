/** The error body of Twilio's REST API. */
export interface TwilioErrorBody {
  code: number;
  message: string;
  more_info: string;
  status: number;
}

function twilioErrorBody(status: number, code: number, message: string): TwilioErrorBody {
  return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
}

/** The vendor's error for a request that fails as a whole. */
export function twilioFailure(status: number, path: string): TwilioErrorBody {
  if (status === 401) return twilioErrorBody(401, 20003, "Authenticate");
  if (status === 404) {
    return twilioErrorBody(
      404,
      20404,
      `The requested resource ${path.replace(/^\/twilio/, "")} was not found`,
    );
  }
  if (status === 429) return twilioErrorBody(429, 20429, "Too Many Requests");
  if (status >= 500) return twilioErrorBody(status, 20500, "An internal server error has occurred");
  return twilioErrorBody(status, 20001, "Invalid request");
}

/** Thrown by the REST routes and sent with its own status and the vendor's body. */
export class TwilioError extends Error {
  readonly body: TwilioErrorBody;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.body = twilioErrorBody(status, code, message);
  }
}

/** The error for an unknown sid. */
export function notFound(url: string): TwilioError {
  const { message, code } = twilioFailure(404, url.split("?", 1)[0] ?? "");
  return new TwilioError(404, code, message);
}
