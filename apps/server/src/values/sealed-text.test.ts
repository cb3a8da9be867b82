import { describe, expect, it } from "vitest";
import { openSealed, sealText } from "./sealed-text.ts";

const options = { encryptionKey: "e".repeat(32), purpose: "a secret" };

describe("a sealed text", () => {
  it("opens with its key for its purpose, and looks different each time", () => {
    const sealed = sealText("señor 🔑", options);
    expect(openSealed(sealed, options)).toBe("señor 🔑");
    expect(sealText("señor 🔑", options)).not.toBe(sealed);
    expect(sealed).not.toContain("señor");
  });

  it("opens with no other key, for no other purpose, and not when changed", () => {
    const sealed = sealText("secret", options);
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
    expect(openSealed(sealed, { ...options, encryptionKey: "f".repeat(32) })).toBeNull();
    expect(openSealed(sealed, { ...options, purpose: "another" })).toBeNull();
    expect(openSealed(changed, options)).toBeNull();
    for (const text of ["", "v1:", "v1:AAAA", "v2:AAAA", "secret"])
      expect(openSealed(text, options)).toBeNull();
  });
});
