import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

function keyOf(encryptionKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", encryptionKey, "", `portal ${purpose}`, 32));
}

/** Encrypts a secret that must be read back (AES-256-GCM); `purpose` keeps a value from being read in another's place. */
export function encrypt(plain: string, { encryptionKey, purpose }: EncryptionOptions): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyOf(encryptionKey, purpose), iv);
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return `${version}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

export interface EncryptionOptions {
  /** ENCRYPTION_KEY. */
  encryptionKey: string;
  /** What is encrypted, for example `hubspot client secret`. */
  purpose: string;
}

/** Decrypts what `encrypt` made, or null where it was encrypted with another key, for another purpose, or changed. */
export function decrypt(sealed: string, { encryptionKey, purpose }: EncryptionOptions): string | null {
  const [made, data] = sealed.split(":");
  if (made !== version || !data) return null;
  const bytes = Buffer.from(data, "base64url");
  if (bytes.length < ivBytes + tagBytes) return null;
  const decipher = createDecipheriv(algorithm, keyOf(encryptionKey, purpose), bytes.subarray(0, ivBytes));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return plain.toString("utf8");
  } catch {
    return null;
  }
}
