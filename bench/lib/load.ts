import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface LoadRequest {
  method: "GET" | "PATCH" | "POST";
  path: string;
  body?: string;
}

export interface Load {
  url: string;
  headers: Record<string, string>;
  /** At least as many as connections; they are repeated in turn. */
  requests: LoadRequest[];
  seconds: number;
  connections: number;
}

/** Requests per second over some connections, sent from a thread of its own. Errors: if a response is not 2xx. */
export async function measureLoad(load: Load): Promise<number> {
  const worker = new Worker(new URL("./load-worker.ts", import.meta.url), { workerData: load });
  const [result] = (await once(worker, "message")) as [{ perSecond: number; failed: number }];
  await worker.terminate();
  if (result.failed > 0) throw new Error(`${result.failed} requests to ${load.url} failed`);
  return result.perSecond;
}
