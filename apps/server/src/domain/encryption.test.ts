import { describe, expect, it } from "vitest";
import { decrypt, encrypt } from "./encryption.ts";

const options = { encryptionKey: "e".repeat(32), purpose: "a secret" };

describe("an encrypted text", () => {
  it("opens with its key for its purpose, and looks different each time", () => {
    const sealed = encrypt("señor 🔑", options);
    expect(decrypt(sealed, options)).toBe("señor 🔑");
    expect(encrypt("señor 🔑", options)).not.toBe(sealed);
    expect(sealed).not.toContain("señor");
  });

  it("opens with no other key, for no other purpose, and not when changed", () => {
    const sealed = encrypt("secret", options);
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
    expect(decrypt(sealed, { ...options, encryptionKey: "f".repeat(32) })).toBeNull();
    expect(decrypt(sealed, { ...options, purpose: "another" })).toBeNull();
    expect(decrypt(changed, options)).toBeNull();
    for (const text of ["", "v1:", "v1:AAAA", "v2:AAAA", "secret"]) expect(decrypt(text, options)).toBeNull();
  });
});
