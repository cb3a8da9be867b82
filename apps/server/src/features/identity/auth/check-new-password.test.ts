import { describe, expect, it } from "vitest";
import { isAboutOwner } from "./check-new-password.ts";

const ana = { name: "Ana García López", email: "ana.garcia7@acme-sales.com" };

describe("a password about its owner", () => {
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
  ])("is %s", (password) => expect(isAboutOwner(password, ana)).toBe(true));

  it.each(["leadership-7", "an-orange-boat", "garcia-orange", "48213975", "a-password-of-its-own"])(
    "is not %s",
    (password) => expect(isAboutOwner(password, ana)).toBe(false),
  );

  it("is a name or an address without a letter of ours, whole", () => {
    expect(isAboutOwner("李小龙李小龙", { name: "李小龙李小龙", email: "x@y.com" })).toBe(true);
    expect(isAboutOwner("123456789", { name: "Jo", email: "123456789@y.com" })).toBe(true);
  });
});
