import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PlainError } from "./plain-error.ts";

/** An entry of /etc/passwd under which PostgreSQL can run. */
export type Account = { name: string; uid: number; gid: number };

/** Advice in messages if the embedded server cannot run at all. */
export const useOwnServer =
  "Set DATABASE_URL (in the environment or in .env) to a PostgreSQL server of your own, version 15 or newer.";

/** True if PostgreSQL would refuse to start because this process runs as root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

const readAccounts = (): Account[] =>
  readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .flatMap(([name, , uid, gid]) =>
      name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
    );

/**
 * The account for a server that is started by root: the owner of existing data, or else `postgres`, or else `nobody`. initdb looks up its
 * own uid, so only uids with an entry in /etc/passwd are possible.
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

/** Spawn options that run a child under the account, or under this process's without one. */
export const asAccount = (account: Account | undefined): { uid?: number; gid?: number } =>
  account ? { uid: account.uid, gid: account.gid } : {};

/** Whether the account can enter the folder; checked by entering it. */
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
