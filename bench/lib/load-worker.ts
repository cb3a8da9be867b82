import { parentPort, workerData } from "node:worker_threads";
import autocannon from "autocannon";
import type { Load, LoadRequest } from "./load.ts";

const { url, headers, requests, seconds, connections } = workerData as Load;

/** Each connection has requests of its own, so that no two change one row at a time. */
let clients = 0;
const ownRequests = (): LoadRequest[] => {
  const own = clients;
  clients += 1;
  return requests.filter((_request, index) => index % connections === own % connections);
};

const result = await autocannon({
  url,
  headers,
  connections,
  duration: seconds,
  setupClient: (client) => client.setRequests(ownRequests()),
});
parentPort?.postMessage({
  perSecond: result["2xx"] / result.duration,
  failed: result.non2xx + result.errors + result.timeouts,
});
