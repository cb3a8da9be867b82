import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PlainError } from "../lib/plain-error.ts";
import { findPortHolder } from "./port-holder.ts";

const graceMs = 12_000;
/** Whoever ends at this moment is not found any more, and a moment later does not have the port either. */
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
 * Makes sure that a port can be listened on. A part left over from a start that was killed may still be finishing its
 * last requests: it is waited for, and ended where it does not end by itself.
 * @param variable the environment variable that names the port
 * @param leftOver process ids of such parts
 * Raises PlainError that says what is wrong and, where it can be told, who has the port.
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
