/** Supported encodings. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "macintosh" | "cp850";

/** An encoding, with its upper 128 characters if the browser does not support it (`encoding-values`). */
export interface SelectedEncoding {
  encoding: Encoding;
  upperHalf?: string;
}

export interface Decoded {
  text: string;
  encoding: Encoding;
  /** Whether some bytes are invalid in this encoding; each is U+FFFD in the text. */
  hasBroken: boolean;
}

/** A file that fits several encodings, so that a person has to choose; an excerpt shows how each would read. */
export interface Undecided {
  excerpt: Uint8Array;
}

const marks: [Encoding, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** Bytes examined to recognise UTF-16 without a mark: in Latin text nearly every other byte is 0. */
const sampleBytes = 4_096;
const excerptBytes = 20_000;
const replacement = "\ufffd";

function unmarkedUtf16(bytes: Uint8Array): Encoding | null {
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (odd > half * 0.6 && even < half * 0.1) return "utf-16le";
  if (even > half * 0.6 && odd < half * 0.1) return "utf-16be";
  return null;
}

/** Decodes UTF-16 without replacing lone surrogates, so that rows with them can be refused. */
function decodeUtf16(bytes: Uint8Array, encoding: Encoding): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const units = Uint16Array.from({ length: bytes.length >> 1 }, (_, n) =>
      view.getUint16(2 * n, encoding === "utf-16le"),
    );
    let text = "";
    for (let at = 0; at < units.length; at += 8_192)
      text += String.fromCharCode(...units.subarray(at, at + 8_192));
    return text;
  }
}

/** Lines with non-ASCII bytes, after the first line, which may name the columns. */
function excerptOf(bytes: Uint8Array): Uint8Array {
  const kept: number[] = [];
  for (let start = 0, isFirst = true; start < bytes.length && kept.length < excerptBytes; isFirst = false) {
    const end = bytes.indexOf(0x0a, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end + 1);
    if (isFirst || line.some((byte) => byte >= 0x80)) kept.push(...line.subarray(0, excerptBytes));
    start += line.length;
  }
  return Uint8Array.from(kept);
}

/** Decodes bytes; invalid ones become U+FFFD, except lone surrogates of UTF-16. */
export function decodeAs(bytes: Uint8Array, { encoding, upperHalf }: SelectedEncoding): string {
  if (encoding === "utf-16le" || encoding === "utf-16be") return decodeUtf16(bytes, encoding);
  if (upperHalf === undefined) return new TextDecoder(encoding).decode(bytes);
  const codes = Uint16Array.from(bytes, (byte) => (byte < 0x80 ? byte : upperHalf.charCodeAt(byte - 0x80)));
  return new TextDecoder("utf-16le").decode(codes);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The text of a file. The encoding is recognised by a byte order mark, as UTF-16 by its zero bytes, or as UTF-8 even with a few invalid
 * bytes. Otherwise it is undecided, as bytes do not distinguish the older encodings: a person chooses, and `chosen` is passed.
 */
export function decodeText(bytes: Uint8Array, chosen?: SelectedEncoding): Decoded | Undecided {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  const known = chosen ?? { encoding: marked ?? unmarkedUtf16(bytes) ?? "utf-8" };
  const text = decodeAs(bytes, known);
  const hasBroken = known.encoding === "utf-8" && text.includes(replacement) && !isUtf8(bytes);
  if (hasBroken && !chosen && !marked) {
    // Two bytes of an older encoding rarely form a UTF-8 character, so text with at least as many of those as invalid bytes is UTF-8.
    const whole = text.match(/(?!\ufffd)\P{ASCII}/gu)?.length ?? 0;
    if (whole < text.split(replacement).length - 1) return { excerpt: excerptOf(bytes) };
  }
  return { text, encoding: known.encoding, hasBroken };
}

/** Whether a text has characters that could not be decoded. */
export const isBroken = (text: unknown): boolean => typeof text === "string" && text.includes(replacement);

/** Whether a file is not text: a workbook (xlsx and ods are zip archives; xls), a PDF, a picture. */
export function isBinary(bytes: Uint8Array): boolean {
  const starts = (...head: number[]) => head.every((byte, index) => bytes[index] === byte);
  if (starts(0x50, 0x4b, 0x03, 0x04) || starts(0xd0, 0xcf, 0x11, 0xe0) || starts(0x25, 0x50, 0x44, 0x46))
    return true;
  const utf16 =
    marks.some(([encoding, mark]) => encoding !== "utf-8" && starts(...mark)) || unmarkedUtf16(bytes);
  return !utf16 && bytes.subarray(0, sampleBytes).includes(0);
}
