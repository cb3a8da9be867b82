/** Failures of the driver (pg, pg-pool) that PostgreSQL itself does not report. */
export type DriverFault = "no-answer" | "no-connection" | "lost" | "closed" | "no-tls" | "no-password";

/**
 * The driver gives these errors neither a code nor a class, so they are recognised by the beginning of their text. Only this file does so,
 * and the test provokes each of them, so that a driver version with other texts is noticed.
 */
const beginnings: [string, DriverFault][] = [
  ["Query read timeout", "no-answer"],
  ["timeout exceeded when trying to connect", "no-connection"],
  ["timeout expired", "no-connection"],
  ["Connection terminated", "lost"],
  ["Client has encountered a connection error and is not queryable", "lost"],
  ["Client was closed and is not queryable", "lost"],
  ["Cannot use a pool after calling end on the pool", "closed"],
  ["The server does not support SSL connections", "no-tls"],
  ["SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a", "no-password"],
];

/** The driver fault of an error or of one of its causes; null for any other error. */
export function driverFault(error: unknown): DriverFault | null {
  if (!(error instanceof Error)) return null;
  const { message, cause } = error;
  const found = beginnings.find(([text]) => message.startsWith(text));
  return found ? found[1] : driverFault(cause);
}
