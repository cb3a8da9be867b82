import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { OutOfRange, ProviderSound } from "../../ports/call-recordings.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { untilAnswered } from "../resilience.ts";
import { unreadableAnswer } from "./errors.ts";
import type { TwilioEnv } from "./keys.ts";
import { type Login, withLogin } from "./keys.ts";
import { askStorage } from "./stored-recording.ts";

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
