import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/** Two keys at a time, so that one can take the place of the other without a gap. */
export interface EncryptionKeys {
  /** ENCRYPTION_KEY: what is written is encrypted with it. */
  current: string;
  /** ENCRYPTION_KEY_PREVIOUS, with which values can still be read; null where no key is being rotated. */
  previous: string | null;
}

/** What only browsers hold, for minutes: nothing of it is stored. */
type HeldByBrowsers = "crm app install" | "login by provider" | "passkey challenge";

/** What is stored encrypted; `features/encryption-keys` says where each kind lies, so that it can be rewritten with another key. */
export type StoredPurpose =
  | "crm app tokens"
  | "google calendar tokens"
  | "google consent verifier"
  | "login provider's proof"
  | "mailed password link"
  | "push private key"
  | `second factor of user ${number}`
  | `intake ${string} ${"key" | "client secret"}`;

export interface EncryptionOptions {
  encryptionKeys: EncryptionKeys;
  /** What is encrypted: a value for one purpose cannot be read for another. */
  purpose: StoredPurpose | HeldByBrowsers;
}

function keyOf(encryptionKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", encryptionKey, "", `portal ${purpose}`, 32));
}

/** Encrypts a secret that must be read back (AES-256-GCM), with the current key. */
export function encrypt(plain: string, { encryptionKeys, purpose }: EncryptionOptions): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyOf(encryptionKeys.current, purpose), iv);
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return `${version}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

function decryptWith(key: string, sealed: string, purpose: string): string | null {
  const [made, data] = sealed.split(":");
  if (made !== version || !data) return null;
  const bytes = Buffer.from(data, "base64url");
  if (bytes.length < ivBytes + tagBytes) return null;
  const decipher = createDecipheriv(algorithm, keyOf(key, purpose), bytes.subarray(0, ivBytes));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return plain.toString("utf8");
  } catch {
    return null;
  }
}

/** Decrypts what `encrypt` made with either key, or null where it was encrypted with another key, for another purpose, or changed. */
export function decrypt(sealed: string, { encryptionKeys, purpose }: EncryptionOptions): string | null {
  const { current, previous } = encryptionKeys;
  return (
    decryptWith(current, sealed, purpose) ??
    (previous === null ? null : decryptWith(previous, sealed, purpose))
  );
}

/** A value with the current key in place of the previous one; `current` where it has that key already, null where neither key reads it. */
export function reencrypt(
  sealed: string,
  options: EncryptionOptions,
): { key: "current" } | { key: "previous"; sealed: string } | null {
  const plain = decrypt(sealed, options);
  if (plain === null) return null;
  const isCurrent = decryptWith(options.encryptionKeys.current, sealed, options.purpose) !== null;
  return isCurrent ? { key: "current" } : { key: "previous", sealed: encrypt(plain, options) };
}
