import { SEEDED_USERS } from "../defaults.ts";

/** An account at the simulated login provider. */
export interface Person {
  /** The person's permanent subject. */
  sub: string;
  name: string;
  email: string;
  emailVerified: boolean;
}

const known = SEEDED_USERS.map(({ firstName, lastName, email }) => ({
  sub: `login-${email.split("@", 1)[0]}`,
  name: `${firstName} ${lastName}`,
  email,
  emailVerified: true,
}));

/** The people of the demo, one who has no account in any portal, and one with an address that is not theirs. */
export const seedPeople: readonly Person[] = [
  ...known,
  { sub: "login-stranger", name: "Nadia Vélez", email: "nadia@example.com", emailVerified: true },
  { sub: "login-impostor", name: "Iván Soto", email: "sofia@portal.test", emailVerified: false },
];
