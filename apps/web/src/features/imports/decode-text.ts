/** How the bytes of a file are read. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "macintosh" | "cp850";

/** An encoding, with its upper 128 characters where the browser does not know it (`encoding-choice`). */
export interface SelectedEncoding {
  encoding: Encoding;
  upperHalf?: string;
}

export interface Decoded {
  text: string;
  encoding: Encoding;
  /** Whether bytes were no characters of this encoding: each stands as U+FFFD in the text. */
  hasBroken: boolean;
}

/** A file that several encodings fit, of which a person has to choose: an excerpt of it, to show how each would read. */
export interface Undecided {
  excerpt: Uint8Array;
}

const marks: [Encoding, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** Bytes looked at to tell UTF-16 without a mark: nearly every other byte of a Latin text is 0. */
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

/** UTF-16 as it stands: a decoder would replace half characters without a word, and their rows are to be refused. */
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

/** The lines that hold bytes beyond ASCII, below the first line, which may name the columns. */
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

/** The text of bytes in an encoding; what is none of its characters becomes U+FFFD, but for half characters of UTF-16. */
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
 * The text of a file: by its byte order mark, else UTF-16 by its zeros, else UTF-8, which a few broken bytes do not change. Anything else
 * is undecided: which of the older encodings it is no byte tells, so that a person chooses, and `chosen` is what it was.
 */
export function decodeText(bytes: Uint8Array, chosen?: SelectedEncoding): Decoded | Undecided {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  const known = chosen ?? { encoding: marked ?? unmarkedUtf16(bytes) ?? "utf-8" };
  const text = decodeAs(bytes, known);
  const hasBroken = known.encoding === "utf-8" && text.includes(replacement) && !isUtf8(bytes);
  if (hasBroken && !chosen && !marked) {
    // Two bytes of an older encoding are hardly ever one character of UTF-8: a text with no fewer such than broken bytes is UTF-8.
    const whole = text.match(/(?!\ufffd)\P{ASCII}/gu)?.length ?? 0;
    if (whole < text.split(replacement).length - 1) return { excerpt: excerptOf(bytes) };
  }
  return { text, encoding: known.encoding, hasBroken };
}

/** Whether a text holds characters that could not be read. */
export const isBroken = (text: unknown): boolean => typeof text === "string" && text.includes(replacement);

/** A file that is no text: a workbook (xlsx, ods: a zip archive; xls), a PDF, a picture. */
export function isBinary(bytes: Uint8Array): boolean {
  const starts = (...head: number[]) => head.every((byte, index) => bytes[index] === byte);
  if (starts(0x50, 0x4b, 0x03, 0x04) || starts(0xd0, 0xcf, 0x11, 0xe0) || starts(0x25, 0x50, 0x44, 0x46))
    return true;
  const utf16 =
    marks.some(([encoding, mark]) => encoding !== "utf-8" && starts(...mark)) || unmarkedUtf16(bytes);
  return !utf16 && bytes.subarray(0, sampleBytes).includes(0);
}
