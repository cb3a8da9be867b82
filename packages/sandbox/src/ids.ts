import { createHash, randomBytes } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A Twilio sid: two letters and 32 hexadecimal digits. */
export function newSid(prefix: "CA" | "MG" | "PN" | "RE" | "SM" | "TR"): string {
  return `${prefix}${randomBytes(16).toString("hex")}`;
}

/** A HighLevel id: 20 letters and digits; the same for the same `name`. */
export function idFor(name: string): string {
  const bytes = createHash("sha256").update(name).digest();
  return Array.from(bytes.subarray(0, 20), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

export function newId(): string {
  return idFor(randomBytes(16).toString("hex"));
}
