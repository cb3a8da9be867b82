import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { OutOfRange, ProviderSound } from "../../ports/call-recordings.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { untilAnswered } from "../resilience.ts";
import type { TwilioEnv } from "./client.ts";
import { unreadableAnswer } from "./errors.ts";

interface MediaRequest {
  recordingSid: string;
  range: string | null;
  signal: AbortSignal;
  /** The answer must begin within this time; its body may take as long as it likes. */
  timeoutMs: number;
}

/** Answers the status as the SDK's errors carry it, for the one place that knows what each means. */
function refused(status: number): Error {
  return Object.assign(new Error(`media answered ${status}`), { status });
}

function partOf(header: string | null): ProviderSound["part"] {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? "");
  if (!match) return undefined;
  const [start, end, total] = match.slice(1).map(Number) as [number, number, number];
  return start <= end && end < total ? { start, end, total } : undefined;
}

async function ask(env: TwilioEnv, { recordingSid, range, signal, timeoutMs }: MediaRequest) {
  const base = env.baseUrl.replace(/\/+$/, "");
  const user = env.apiKeySid ?? env.accountSid;
  const secret = (env.apiKeySid ? env.apiKeySecret : null) ?? env.authToken;
  return untilAnswered({ provider: "twilio", timeoutMs, signal }, (until) =>
    fetch(`${base}/2010-04-01/Accounts/${env.accountSid}/Recordings/${recordingSid}.mp3`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`,
        accept: "audio/*",
        "accept-encoding": "identity",
        ...(range && { range }),
      },
      // Keys go to the configured host only.
      redirect: "manual",
      signal: until,
    }),
  );
}

/**
 * The sound of a recording as MP3. The SDK does not fetch media and its `media_url` is absolute: the address is built from the id.
 * Whether Twilio honours Range is not documented; a whole answer to a range is a right one.
 */
export async function openMedia(env: TwilioEnv, request: MediaRequest): Promise<ProviderSound | OutOfRange> {
  const answer = await ask(env, request);
  const abandon = () => answer.body?.cancel().catch(() => undefined);
  if (answer.status === 416) {
    await abandon();
    const total = Number(/^bytes \*\/(\d{1,15})$/.exec(answer.headers.get("content-range") ?? "")?.[1]);
    return { total: Number.isSafeInteger(total) ? total : 0 };
  }
  const part = answer.status === 206 ? partOf(answer.headers.get("content-range")) : undefined;
  const usable = answer.status === 200 || part !== undefined;
  if (!usable || !answer.body) {
    await abandon();
    if (answer.status === 404) {
      throw new ProviderError({ provider: "twilio", kind: "not-found", message: "There is no recording." });
    }
    if (answer.status >= 400) throw refused(answer.status);
    throw unreadableAnswer(new Error(`media answered ${answer.status}`));
  }
  const length = Number(answer.headers.get("content-length") ?? Number.NaN);
  return {
    contentType: answer.headers.get("content-type") ?? "",
    length: Number.isSafeInteger(length) ? length : null,
    body: Readable.fromWeb(answer.body as ReadableStream),
    ...(part && { part }),
  };
}
