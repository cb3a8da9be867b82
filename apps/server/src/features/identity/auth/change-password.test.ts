import { describe, expect, it } from "vitest";
import { isAboutOwner } from "./change-password.ts";

const ana = { name: "Ana García López", email: "ana.garcia7@acme-sales.com" };

describe("a new password", () => {
  it.each([
    "ana.garcia7@acme-sales.com",
    "Ana.Garcia7",
    "anagarcia",
    "Garcia2026",
    "GARCÍA-lópez!",
    "acme2026",
    "portal123",
    "Lead-Desk!",
    "contraseña1",
    "portal-ana",
  ])("similar to its owner's data is rejected: %s", (password) =>
    expect(isAboutOwner(password, ana)).toBe(true),
  );

  it.each(["leadership-7", "an-orange-boat", "garcia-orange", "48213975", "a-password-of-its-own"])(
    "that is not similar is accepted: %s",
    (password) => expect(isAboutOwner(password, ana)).toBe(false),
  );

  it("with a whole name or address in another script is rejected", () => {
    expect(isAboutOwner("李小龙李小龙", { name: "李小龙李小龙", email: "x@y.com" })).toBe(true);
    expect(isAboutOwner("123456789", { name: "Jo", email: "123456789@y.com" })).toBe(true);
  });
});
