import { SEEDED_USERS } from "../defaults.ts";

/** Somebody who has an account at the simulated login provider. */
export interface Person {
  /** Their subject there, for good. */
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

/** Those of the demo, one whom no portal knows, and one who claims an address that is not theirs. */
export const seedPeople: readonly Person[] = [
  ...known,
  { sub: "login-stranger", name: "Nadia Vélez", email: "nadia@example.com", emailVerified: true },
  { sub: "login-impostor", name: "Iván Soto", email: "sofia@portal.test", emailVerified: false },
];
