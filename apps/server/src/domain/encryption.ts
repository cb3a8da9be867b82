import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/** Two keys, so that a key can be rotated without an interruption. */
export interface EncryptionKeys {
  /** ENCRYPTION_KEY: encrypts new values. */
  current: string;
  /** ENCRYPTION_KEY_PREVIOUS: still decrypts old values. Null if no key is being rotated. */
  previous: string | null;
}

/** Purposes of values that only browsers hold, for minutes. The server stores none of them. */
type HeldByBrowsers = "crm app install" | "login by provider" | "passkey challenge";

/**
 * Purposes of stored values. `features/encryption-keys` says where each kind is stored, so that it can be encrypted again with another key.
 */
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
  /** A value encrypted for one purpose cannot be decrypted for another. */
  purpose: StoredPurpose | HeldByBrowsers;
}

function keyOf(encryptionKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", encryptionKey, "", `portal ${purpose}`, 32));
}

/** Encrypts a secret that must be readable later (AES-256-GCM), with the current key. */
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

/** Decrypts a value of `encrypt` with either key. Null if it was encrypted with another key or for another purpose, or was changed. */
export function decrypt(sealed: string, { encryptionKeys, purpose }: EncryptionOptions): string | null {
  const { current, previous } = encryptionKeys;
  return (
    decryptWith(current, sealed, purpose) ??
    (previous === null ? null : decryptWith(previous, sealed, purpose))
  );
}

/** Encrypts a value again with the current key. `current`: it already uses that key. Null if neither key decrypts it. */
export function reencrypt(
  sealed: string,
  options: EncryptionOptions,
): { key: "current" } | { key: "previous"; sealed: string } | null {
  const plain = decrypt(sealed, options);
  if (plain === null) return null;
  const isCurrent = decryptWith(options.encryptionKeys.current, sealed, options.purpose) !== null;
  return isCurrent ? { key: "current" } : { key: "previous", sealed: encrypt(plain, options) };
}
