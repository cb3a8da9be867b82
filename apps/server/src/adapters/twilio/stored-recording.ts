import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isInside, resolveOutside } from "../outside.ts";

/** Allowed locations of a recording. */
export interface StorageRules {
  /** Hosts, with a port if it is not the default one. A host that begins with a dot allows all its subdomains. */
  hosts: readonly string[];
  /** The provider is a stand-in that uses http. Its storage may then use http too and be on this machine. */
  standIn: boolean;
}

/** Maximum time for reading a recording from its storage. */
const wholeMs = 60 * 60_000;

function isListed({ hostname, host }: URL, hosts: readonly string[]): boolean {
  return hosts.some((each) =>
    each.startsWith(".") ? hostname.endsWith(each) : each === host || each === hostname,
  );
}

/** Returns the address of a redirect. Errors: a reason without the address, which may hold a signature. */
function readLocation(location: string | null, base: string, { hosts, standIn }: StorageRules): URL {
  const url = location === null ? null : URL.parse(location, base);
  if (!url) throw new Error("the recording was redirected to no address");
  if (url.protocol !== "https:" && !(standIn && url.protocol === "http:"))
    throw new Error(`the recording was redirected to ${url.hostname} by ${url.protocol} instead of https:`);
  if (url.username || url.password)
    throw new Error("the recording was redirected to an address with a password");
  if (!isListed(url, hosts))
    throw new Error(
      `the recording was redirected to ${url.hostname}, which TWILIO_RECORDING_HOSTS does not name`,
    );
  if (!standIn && isInside(url.hostname))
    throw new Error(`the recording was redirected to ${url.hostname}, which lies in a private network`);
  return url;
}

/**
 * Requests the storage that the provider redirected to, without our keys. `base` is the address that redirected. Errors: if the rules do
 * not allow the address, and those of the connection.
 */
export async function askStorage(
  location: string | null,
  {
    base,
    rules,
    range,
    signal,
  }: { base: string; rules: StorageRules; range: string | null; signal: AbortSignal },
): Promise<IncomingMessage> {
  const url = readLocation(location, base, rules);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(
      url,
      {
        agent: false,
        headers: { accept: "audio/*", "accept-encoding": "identity", ...(range && { range }) },
        signal: AbortSignal.any([signal, AbortSignal.timeout(wholeMs)]),
        ...(!rules.standIn && { lookup: resolveOutside }),
      },
      resolve,
    )
      .once("error", reject)
      .end();
  });
  const { statusCode = 0 } = answer;
  if ([200, 206, 404, 416].includes(statusCode)) return answer;
  answer.destroy();
  throw new Error(`the recording's storage ${url.hostname} answered ${statusCode}`);
}
