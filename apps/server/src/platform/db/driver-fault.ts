/** What a failure of the driver (pg, pg-pool) means that PostgreSQL itself says nothing about. */
export type DriverFault = "no-answer" | "no-connection" | "lost" | "closed" | "no-tls" | "no-password";

/**
 * The driver gives these errors no code and no class of their own: how their text begins is all there is. It is read here and nowhere else,
 * and the test provokes each of them, so that a new version of the driver with other texts is noticed.
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

/** The fault of the driver that an error, or one that it was made of, is; null for any other error. */
export function driverFault(error: unknown): DriverFault | null {
  if (!(error instanceof Error)) return null;
  const { message, cause } = error;
  const found = beginnings.find(([text]) => message.startsWith(text));
  return found ? found[1] : driverFault(cause);
}
