import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { limits } from "@portal/contract/limits";
import { imageSize } from "image-size";
import { AppError } from "../../../platform/http/app-error.ts";

export type ImageType = "image/png" | "image/jpeg" | "image/webp";

/** The maximum side in pixels that browsers decode safely. */
const sideMax = 4_096;
/** Content that another program would execute if it opened the file. */
const foreign = /<(?:script|svg|html|body|iframe|!doctype|!entity|\?php)/i;

/** PNG: chunks with valid checksums from IHDR to IEND, and nothing after (w3.org/TR/png). */
function isPng(bytes: Buffer): boolean {
  if (bytes.subarray(0, 8).toString("latin1") !== "\x89PNG\r\n\x1a\n") return false;
  let at = 8;
  let data = false;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) return false;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false;
    if ((at === 8) !== (type === "IHDR")) return false;
    if (type === "IDAT") data = true;
    if (type === "IEND") return data && length === 0 && end === bytes.length;
    at = end;
  }
  return false;
}

/** JPEG: segments from SOI to EOI with a frame and a scan, and nothing after (ITU-T T.81, annex B). */
function isJpeg(bytes: Buffer): boolean {
  if (bytes.readUInt16BE(0) !== 0xffd8) return false;
  let at = 2;
  let frame = false;
  let scan = false;
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      if (!scan) return false;
      // Entropy-coded data: skips to the next marker that is neither a stuffed byte nor a restart.
      at = bytes.indexOf(0xff, at);
      if (at < 0) return false;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) return frame && scan && at + 2 === bytes.length;
    const alone = marker === 0xff || (scan && (marker === 0x00 || (marker >= 0xd0 && marker <= 0xd7)));
    if (alone) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker < 0xc0 || marker === 0xd8 || at + 4 > bytes.length) return false;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) frame = true;
    if (marker === 0xda) scan = true;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}

/** WebP: a RIFF container of the file's length that its chunks fill completely (RFC 9649). */
function isWebp(bytes: Buffer): boolean {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return false;
  if (bytes.readUInt32LE(4) !== bytes.length - 8) return false;
  let at = 12;
  let picture = false;
  while (at + 8 <= bytes.length) {
    const type = bytes.toString("latin1", at, at + 4);
    if (type === "VP8 " || type === "VP8L" || type === "ANMF") picture = true;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return picture && at === bytes.length;
}

const readers: [ImageType, (bytes: Buffer) => boolean][] = [
  ["image/png", isPng],
  ["image/jpeg", isJpeg],
  ["image/webp", isWebp],
];

function isOfSize(bytes: Buffer): boolean {
  try {
    const { width, height } = imageSize(bytes);
    return width > 0 && height > 0 && width <= sideMax && height <= sideMax;
  } catch {
    return false;
  }
}

/** The type of a file by its content: an image without any other content; null for anything else, regardless of its name. */
function imageTypeOf(bytes: Buffer): ImageType | null {
  if (bytes.length < 32 || foreign.test(bytes.toString("latin1"))) return null;
  const type = readers.find(([, reads]) => reads(bytes))?.[0] ?? null;
  return type && isOfSize(bytes) ? type : null;
}

export interface Photo {
  type: ImageType;
  content: Buffer;
}

const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+)?;base64,([A-Za-z0-9+/]+={0,2})$/;

/** Reads an image sent as a data URL. Its content determines its type; the type in the URL is ignored. Errors: `image_invalid`. */
export function readPhoto(sent: string): Photo {
  const [, , data = ""] = dataUrl.exec(sent) ?? [];
  const content = Buffer.from(data, "base64");
  if (content.length > limits.photoMaxBytes)
    throw new AppError("image_invalid", "The picture is too large. Choose one of at most 512 kB.");
  const type = imageTypeOf(content);
  if (!type)
    throw new AppError(
      "image_invalid",
      "This is not a picture we can show. Choose a PNG, JPEG or WebP file.",
    );
  return { type, content };
}

/** The address of an image: each image has its own, so that browsers may cache it. */
export function photoAddress(userId: number, { content }: Photo): string {
  return `/api/users/${userId}/photo?v=${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;
}
