import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { OutOfRange, ProviderSound } from "../../ports/call-recordings.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { isInside, resolveOutside } from "../outside.ts";
import { untilAnswered } from "../resilience.ts";
import { type Login, type TwilioEnv, unreadableAnswer, withLogin } from "./client.ts";

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

interface MediaRequest {
  recordingSid: string;
  range: string | null;
  signal: AbortSignal;
  /** The response must begin within this time; its body may take longer. */
  timeoutMs: number;
}

/** An error with the status in the form of the SDK's errors, so that `toProviderError` handles both. */
function refused(status: number): Error {
  return Object.assign(new Error(`media answered ${status}`), { status });
}

function partOf(header: string | null): ProviderSound["part"] {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? "");
  if (!match) return undefined;
  const [start, end, total] = match.slice(1).map(Number) as [number, number, number];
  return start <= end && end < total ? { start, end, total } : undefined;
}

/** The response of the provider or its storage. */
interface MediaAnswer {
  status: number;
  header(name: string): string | null;
  body: Readable | null;
  /** The storage may send no specific type; the file is then the requested MP3. */
  contentType: string;
}

const redirects = new Set([301, 302, 303, 307, 308]);
/** Content types of a file whose type was not set. */
const unnamed = new Set(["", "application/octet-stream", "binary/octet-stream"]);

function ofProvider(answer: Response): MediaAnswer {
  return {
    status: answer.status,
    header: (name) => answer.headers.get(name),
    body: answer.body && Readable.fromWeb(answer.body as ReadableStream),
    contentType: answer.headers.get("content-type") ?? "",
  };
}

function ofStorage(answer: IncomingMessage): MediaAnswer {
  const contentType = answer.headers["content-type"] ?? "";
  return {
    status: answer.statusCode ?? 0,
    header: (name) => [answer.headers[name] ?? null].flat()[0] ?? null,
    body: answer,
    contentType: unnamed.has(contentType.toLowerCase()) ? "audio/mpeg" : contentType,
  };
}

/**
 * Sends the request to the provider, and once to its storage without our keys if it redirects. Errors: those of the connection and of
 * `StorageRules`.
 */
async function ask(
  env: TwilioEnv,
  { user, password }: Login,
  { recordingSid, range, signal, timeoutMs }: MediaRequest,
): Promise<MediaAnswer> {
  const base = env.baseUrl.replace(/\/+$/, "");
  const address = `${base}/2010-04-01/Accounts/${env.accountSid}/Recordings/${recordingSid}.mp3`;
  return untilAnswered({ provider: "twilio", timeoutMs, signal }, async (until) => {
    const answer = await fetch(address, {
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
        accept: "audio/*",
        "accept-encoding": "identity",
        ...(range && { range }),
      },
      // Not followed automatically, because keys may only be sent to the configured host.
      redirect: "manual",
      signal: until,
    });
    if (!redirects.has(answer.status)) return ofProvider(answer);
    await answer.body?.cancel().catch(() => undefined);
    const rules = {
      hosts: [new URL(base).host, ...env.recordingHosts],
      standIn: base.startsWith("http:"),
    };
    const location = answer.headers.get("location");
    return ofStorage(
      await askStorage(location, { base: address, rules, range, signal: until }).catch((error: unknown) => {
        throw until.aborted ? error : unreadableAnswer(error);
      }),
    );
  });
}

/**
 * Opens the audio of a recording as MP3. The SDK does not fetch media and its `media_url` is absolute, so the address is built from the id.
 * Twilio does not document support for Range; a whole file is a valid response to a range.
 */
export async function openMedia(env: TwilioEnv, request: MediaRequest): Promise<ProviderSound | OutOfRange> {
  const abandonOf = (body: Readable | null) => void body?.on("error", () => undefined).destroy();
  const { status, header, body, contentType } = await withLogin(env, async (login) => {
    const answer = await ask(env, login, request);
    if (answer.status !== 401) return answer;
    abandonOf(answer.body);
    throw refused(401);
  });
  const abandon = () => abandonOf(body);
  if (status === 416) {
    abandon();
    const total = Number(/^bytes \*\/(\d{1,15})$/.exec(header("content-range") ?? "")?.[1]);
    return { total: Number.isSafeInteger(total) ? total : 0 };
  }
  const part = status === 206 ? partOf(header("content-range")) : undefined;
  const usable = status === 200 || part !== undefined;
  if (!usable || !body) {
    abandon();
    if (status === 404) {
      throw new ProviderError({ provider: "twilio", kind: "not-found", message: "There is no recording." });
    }
    if (status >= 400) throw refused(status);
    throw unreadableAnswer(new Error(`media answered ${status}`));
  }
  const length = Number(header("content-length") ?? Number.NaN);
  return {
    contentType,
    length: Number.isSafeInteger(length) ? length : null,
    body,
    ...(part && { part }),
  };
}
