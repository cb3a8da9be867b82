export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

export interface Decoded {
  text: string;
  encoding: Encoding;
}

const marks: [Encoding, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** Bytes looked at to tell UTF-16 without a mark: nearly every other byte of a Latin text is 0. */
const sampleBytes = 4_096;

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

/** The text of a file: by its byte order mark, else UTF-16 by its zeros, else UTF-8, else what older Windows programs write. */
export function decodeText(bytes: Uint8Array): Decoded {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  const utf16 = marked ?? unmarkedUtf16(bytes);
  if (utf16 && utf16 !== "utf-8") return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "windows-1252" };
  }
}

/** A file that is no text: a workbook (xlsx, ods: a zip archive; xls), a PDF, a picture. */
export function isBinary(bytes: Uint8Array): boolean {
  const starts = (...head: number[]) => head.every((byte, index) => bytes[index] === byte);
  if (starts(0x50, 0x4b, 0x03, 0x04) || starts(0xd0, 0xcf, 0x11, 0xe0) || starts(0x25, 0x50, 0x44, 0x46))
    return true;
  const utf16 =
    marks.some(([encoding, mark]) => encoding !== "utf-8" && starts(...mark)) || unmarkedUtf16(bytes);
  return !utf16 && bytes.subarray(0, sampleBytes).includes(0);
}
