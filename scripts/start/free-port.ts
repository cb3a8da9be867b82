import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PlainError } from "../lib/plain-error.ts";
import { findPortHolder } from "./port-holder.ts";

const graceMs = 12_000;
/** A process that is just ending may not be found, and frees the port a moment later. */
const momentMs = 500;

const tryListening = async ({ port, host }: { port: number; host: string }): Promise<string | null> => {
  const server = createServer();
  try {
    server.listen({ port, host });
    await once(server, "listening");
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
};

/**
 * Ensures that a port is free. A part left over from a killed start may still be finishing its last requests: this waits for it, and ends
 * it if it does not end by itself.
 * @param variable the environment variable with the port
 * @param leftOver process ids of such parts
 * Errors: `PlainError` with the reason and, if known, the process that uses the port.
 */
export const ensureFreePort = async (wanted: {
  variable: string;
  port: number;
  host: string;
  leftOver: number[];
}): Promise<void> => {
  const { variable, port, host, leftOver } = wanted;
  for (let waited = 0; ; waited += 50) {
    const fault = await tryListening({ port, host });
    if (fault === null) return;
    const name = `${host}:${port}`;
    if (fault !== "EADDRINUSE") throw new PlainError(`${variable}: cannot listen on ${name} (${fault}).`);
    const holder = findPortHolder(port);
    if (holder ? !leftOver.includes(holder.pid) : waited >= momentMs) {
      const who = holder ? `process ${holder.pid} (${holder.command})` : "another process";
      throw new PlainError(`${variable}: ${name} is taken by ${who}. End it, or set ${variable}.`);
    }
    if (holder && waited === graceMs) process.kill(holder.pid, "SIGKILL");
    await sleep(50);
  }
};
