import { generateKeyPairSync, type JsonWebKey, randomBytes } from "node:crypto";
import type { Store, Table } from "../state/store.ts";
import { type Person, seedPeople } from "./people.ts";

/** Faults that an ID token can be given. */
export const tokenFaults = [
  "nonce",
  "audience",
  "issuer",
  "expired",
  "signature",
  "alg-none",
  "unverified",
] as const;
export type TokenFault = (typeof tokenFaults)[number];

/** A sign-in whose code has not been redeemed yet. */
export interface LoginCode {
  sub: string;
  redirectUri: string;
  nonce: string | null;
  codeChallenge: string | null;
  scope: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

interface AccessToken {
  sub: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

const CODE_MS = 60_000;
const ACCESS_MS = 600_000;

/** All data of the simulated login provider: people, codes, its key, and faults of its tokens. */
export class LoginData {
  /** Faults of the next ID tokens, in order. */
  faults: TokenFault[] = [];
  readonly #people: Table<Person>;
  readonly #codes: Table<LoginCode>;
  readonly #access: Table<AccessToken>;
  readonly #keys: Table<JsonWebKey>;

  constructor(store: Store) {
    this.#people = store.table("login-people");
    this.#codes = store.table("login-codes");
    this.#access = store.table("login-access");
    this.#keys = store.table("login-keys");
  }

  /** The key is kept, because portals cache its public part for a while. */
  clear(): void {
    this.faults = [];
    for (const table of [this.#people, this.#codes, this.#access]) table.clear();
  }

  people(): Person[] {
    const seeded = seedPeople.map((person) => this.#people.get(person.sub) ?? person);
    const own = this.#people.values().filter(({ sub }) => seedPeople.every((person) => person.sub !== sub));
    return [...seeded, ...own];
  }

  person(sub: string | undefined): Person | undefined {
    return this.people().find((person) => person.sub === sub);
  }

  savePerson(person: Person): void {
    this.#people.set(person.sub, person);
  }

  /** The private key, generated on first use. */
  key(): JsonWebKey {
    const kept = this.#keys.get("first");
    if (kept) return kept;
    const made = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
    this.#keys.set("first", made);
    return made;
  }

  newCode(sent: Omit<LoginCode, "expiresAt">): string {
    const code = randomBytes(32).toString("base64url");
    this.#codes.set(code, { ...sent, expiresAt: Date.now() + CODE_MS });
    return code;
  }

  /** Returns a valid code once. */
  takeCode(code: string | undefined): LoginCode | undefined {
    const taken = this.#codes.get(code ?? "");
    if (taken) this.#codes.delete(code ?? "");
    return taken && taken.expiresAt > Date.now() ? taken : undefined;
  }

  newAccessToken(sub: string): { token: string; expiresIn: number } {
    const token = randomBytes(32).toString("base64url");
    this.#access.set(token, { sub, expiresAt: Date.now() + ACCESS_MS });
    return { token, expiresIn: ACCESS_MS / 1_000 };
  }

  personOfAccess(token: string): Person | undefined {
    const access = this.#access.get(token);
    return access && access.expiresAt > Date.now() ? this.person(access.sub) : undefined;
  }
}
