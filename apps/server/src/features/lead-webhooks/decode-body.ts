import { isUtf8 } from "node:buffer";

const withoutBom = (text: string) => text.replace(/^\uFEFF/, "");

function decodeAs(bytes: Buffer, charset: string, fatal: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    return null;
  }
}

/** The character set that a body names: by its first bytes, the content type, or XML's own declaration. */
function charsetOf(bytes: Buffer, contentType: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const named = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  const declared = /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(
    bytes.subarray(0, 200).toString("latin1"),
  )?.[1];
  return named ?? declared ?? "utf-8";
}

/** A salesforce session in an outbound message opens the whole organisation: it is not kept. */
const sessionTag = /(<(?:[\w-]{1,40}:)?SessionId\b[^>]{0,200}>)[^<]*/g;

/**
 * A body as text, in the character set that it names, else UTF-8, else Windows-1252. What the database cannot hold (U+0000, lone
 * surrogates) and Salesforce's session are left out; everything else stays as it came.
 */
export function decodeBody(bytes: Buffer, contentType: string): string {
  const charset = charsetOf(bytes, contentType);
  const text =
    (/^utf-?8$/i.test(charset) ? null : decodeAs(bytes, charset, true)) ??
    (isUtf8(bytes) ? bytes.toString() : null) ??
    decodeAs(bytes, "windows-1252", false) ??
    "";
  return withoutBom(text).replaceAll("\u0000", "").toWellFormed().replace(sessionTag, "$1");
}
