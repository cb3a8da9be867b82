import type { CurrentUser } from "@portal/contract/entities/user";

/** A consultant of the demo, with overrides. */
export function buildUser(overrides: Partial<CurrentUser> = {}): CurrentUser {
  return {
    id: 2,
    name: "Ana Rivera",
    email: "ana@portal.test",
    role: "consultant",
    personalPhoneNumber: "+1 787 555 0101",
    profileImage: null,
    theme: "auto",
    language: "en",
    autoDial: true,
    ...overrides,
  };
}
