import { createTransport } from "nodemailer";
import type { MailEnv } from "../../env.ts";
import type { Mailer } from "../../ports/notification-channels.ts";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";
import { createCircuit, isUnavailable } from "../resilience.ts";

const provider = "smtp";
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

interface SmtpFault {
  /** The library's error code: EAUTH, EENVELOPE, EMESSAGE, ETIMEDOUT … (nodemailer.com/errors). */
  code?: string;
  /** The server's reply code (RFC 5321 §4.2). */
  responseCode?: number;
}

const messages: Partial<Record<ProviderFailure, string>> = {
  auth: "The mail server does not accept the portal's login.",
  invalid: "The mail server refused the email.",
};

/** The server's own text may contain addresses, so only the codes are kept. */
function toProviderError(error: unknown): ProviderError {
  const { code = "", responseCode = 0 } = error as SmtpFault;
  const permanent = responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
  const kind = code === "EAUTH" ? "auth" : permanent ? "invalid" : "unavailable";
  return new ProviderError({
    provider,
    kind,
    message: messages[kind] ?? "The mail server did not accept the email.",
    providerCode: responseCode || null,
    ambiguous: code === "ETIMEDOUT" || code === "ESOCKET",
    cause: new Error(`${code || "no code"} ${responseCode || ""}`.trim()),
  });
}

/** The error while the circuit is open. No request was sent. */
function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: "The mail server is not answering at the moment.",
    retryAfterSeconds,
  });
}

/** Sends email by SMTP (RFC 5321). For a login on another machine STARTTLS is required, so that it is never sent unencrypted. */
export function createMailer(env: MailEnv, timeoutMs = 10_000): Mailer {
  const transport = createTransport({
    host: env.host,
    port: env.port,
    secure: env.secure,
    requireTLS: env.login !== null && !env.secure && !loopback.has(env.host),
    ...(env.login && { auth: { user: env.login.user, pass: env.login.password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const ask = createCircuit({
    provider: "smtp",
    translate: toProviderError,
    refuse: circuitOpen,
    // A reply code is a response, even if it defers an email.
    isDown: (failure) => isUnavailable(failure) && failure.providerCode === null,
  });
  const host = env.from.replace(/.*@/, "").replace(/>$/, "");
  return {
    async probe() {
      // Without the circuit, because the result says nothing about the emails being sent.
      await transport.verify().catch((error: unknown) => {
        throw toProviderError(error);
      });
    },
    async send({ to, subject, text, reference }) {
      await ask(() =>
        transport.sendMail({
          from: env.from,
          to: { name: "", address: to },
          subject,
          text,
          messageId: `<${reference}@${host}>`,
          // Prevents out-of-office replies to automatic emails (RFC 3834).
          headers: { "auto-submitted": "auto-generated" },
        }),
      );
    },
  };
}
