import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PlainError } from "./plain-error.ts";

/** An entry of /etc/passwd under which PostgreSQL can run. */
export type Account = { name: string; uid: number; gid: number };

/** What a message says wherever the embedded server cannot run at all. */
export const useOwnServer =
  "Set DATABASE_URL (in the environment or in .env) to a PostgreSQL server of your own, version 15 or newer.";

/** True where PostgreSQL would refuse to start because we are root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

const readAccounts = (): Account[] =>
  readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .flatMap(([name, , uid, gid]) =>
      name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
    );

/**
 * The account a server started by root runs under: the owner of what is there already, else `postgres`, else `nobody`.
 * initdb looks its own uid up, so only uids with an entry in /etc/passwd will do.
 */
export const chooseAccount = ({ ownerUids }: { ownerUids: number[] }): Account => {
  const accounts = readAccounts();
  const found =
    ownerUids.filter((uid) => uid !== 0).map((uid) => accounts.find((entry) => entry.uid === uid)) ?? [];
  const account =
    found.find((entry) => entry !== undefined) ??
    accounts.find((entry) => entry.name === "postgres") ??
    accounts.find((entry) => entry.name === "nobody");
  if (!account) {
    throw new PlainError(
      `PostgreSQL refuses to run as root, and /etc/passwd names no account to run it under. ${useOwnServer}`,
    );
  }
  return account;
};

/** Spawn options that run a child under the account; ours where there is none. */
export const asAccount = (account: Account | undefined): { uid?: number; gid?: number } =>
  account ? { uid: account.uid, gid: account.gid } : {};

/** Whether the account may enter the folder, tried by entering it. */
export const canEnter = ({ account, folder }: { account: Account; folder: string }): boolean => {
  const tried = spawnSync("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], {
    ...asAccount(account),
    cwd: "/",
    stdio: "ignore",
  });
  if (tried.error) {
    throw new PlainError(
      `PostgreSQL refuses to run as root, and running it as "${account.name}" is not allowed here (${tried.error.message}). ${useOwnServer}`,
    );
  }
  return tried.status === 0;
};
