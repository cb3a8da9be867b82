import { describe, expect, it } from "vitest";
import { decrypt, type EncryptionOptions, encrypt, reencrypt } from "./encryption.ts";

const [old, fresh] = ["e".repeat(32), "f".repeat(32)];
const options: EncryptionOptions = {
  encryptionKeys: { current: old, previous: null },
  purpose: "push private key",
};
const withKeys = (current: string, previous: string | null) => ({
  ...options,
  encryptionKeys: { current, previous },
});

describe("an encrypted text", () => {
  it("decrypts with its key for its purpose, and differs each time", () => {
    const sealed = encrypt("señor 🔑", options);
    expect(decrypt(sealed, options)).toBe("señor 🔑");
    expect(encrypt("señor 🔑", options)).not.toBe(sealed);
    expect(sealed).not.toContain("señor");
  });

  it("does not decrypt with another key, for another purpose, or when changed", () => {
    const sealed = encrypt("secret", options);
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
    expect(decrypt(sealed, withKeys(fresh, null))).toBeNull();
    expect(decrypt(sealed, { ...options, purpose: "crm app tokens" })).toBeNull();
    expect(decrypt(changed, options)).toBeNull();
    for (const text of ["", "v1:", "v1:AAAA", "v2:AAAA", "secret"]) expect(decrypt(text, options)).toBeNull();
  });

  it("decrypts with either of two keys, and is re-encrypted once with the current one", () => {
    const sealed = encrypt("secret", options);
    expect(decrypt(sealed, withKeys(fresh, old))).toBe("secret");
    const rewritten = reencrypt(sealed, withKeys(fresh, old));
    if (rewritten?.key !== "previous") throw new Error("not rewritten");
    expect(decrypt(rewritten.sealed, withKeys(fresh, null))).toBe("secret");
    expect(reencrypt(rewritten.sealed, withKeys(fresh, old))).toEqual({ key: "current" });
    expect(reencrypt(sealed, withKeys(fresh, null))).toBeNull();
  });
});
