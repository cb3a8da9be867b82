import { createDecipheriv, createECDH, hkdfSync } from "node:crypto";

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 5;
const LAST_RECORD = 2;

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

/** Decrypts one record of aes128gcm (RFC 8188) with a browser's keys (RFC 8291). Throws if it is malformed or not for this browser. */
export function decryptMessage(
  body: Buffer,
  { privateKey, p256dh, auth }: { privateKey: string; p256dh: string; auth: string },
): string {
  const salt = body.subarray(0, SALT_BYTES);
  const keyLength = body[SALT_BYTES + 4] ?? 0;
  const sender = body.subarray(HEADER_BYTES, HEADER_BYTES + keyLength);
  const sealed = body.subarray(HEADER_BYTES + keyLength);
  const own = createECDH("prime256v1");
  own.setPrivateKey(privateKey, "base64url");
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), Buffer.from(p256dh, "base64url"), sender]);
  const secret = derive(own.computeSecret(sender), Buffer.from(auth, "base64url"), info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = plain.findLastIndex((byte) => byte !== 0);
  if (plain[end] !== LAST_RECORD) throw new Error("the record has no end");
  return plain.subarray(0, end).toString("utf8");
}
