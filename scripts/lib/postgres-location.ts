import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PlainError } from "./plain-error.ts";
import { type Account, canEnter, chooseAccount, isRoot } from "./postgres-account.ts";
import { sharedFolder } from "./postgres-binaries.ts";

/** The whole path of a socket may have 107 bytes, and PostgreSQL appends this name to its folder. */
const longestSocketFolder = 107 - "/.s.PGSQL.65535.lock".length;

/** The folder of the cluster, and the account under which it runs. */
export type PostgresLocation = { account: Account | undefined; folder: string };

const own = ({ account, folder }: { account: Account | undefined; folder: string }): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!account) return;
  chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
};

const findLocationAsRoot = ({
  dataDir,
  inside,
  pointer,
}: {
  dataDir: string;
  inside: string;
  pointer: string;
}): PostgresLocation => {
  if (existsSync(pointer)) {
    const folder = readFileSync(pointer, "utf8").trim();
    const ownerUids = existsSync(folder) ? [statSync(folder).uid] : [];
    const account = chooseAccount({ ownerUids });
    own({ account, folder });
    return { account, folder };
  }
  const ownerUids = [existsSync(inside) ? statSync(inside).uid : 0, statSync(dataDir).uid];
  const account = chooseAccount({ ownerUids });
  const isNew = !existsSync(inside) || readdirSync(inside).length === 0;
  own({ account, folder: inside });
  if (canEnter({ account, folder: inside })) return { account, folder: inside };
  if (!isNew) {
    throw new PlainError(
      `PostgreSQL runs as "${account.name}" here, which cannot reach its data in ${inside}. Make the folders above it passable (chmod a+x).`,
    );
  }
  rmdirSync(inside);
  mkdirSync(sharedFolder, { recursive: true });
  const folder = join(sharedFolder, `portal-${randomBytes(6).toString("hex")}`);
  own({ account, folder });
  writeFileSync(pointer, `${folder}\n`);
  return { account, folder };
};

/**
 * Finds or creates the folder of the cluster for a data folder. It is `DATA_DIR/postgres`; for root it is in /var/lib if the unprivileged
 * account could not reach the former, and `DATA_DIR/postgres.location` contains its path.
 */
export const findPostgresLocation = ({ dataDir }: { dataDir: string }): PostgresLocation => {
  const inside = join(dataDir, "postgres");
  const pointer = join(dataDir, "postgres.location");
  if (isRoot()) return findLocationAsRoot({ dataDir, inside, pointer });
  if (existsSync(pointer)) {
    throw new PlainError(
      `The database of ${dataDir} was made by root and lies in ${readFileSync(pointer, "utf8").trim()}. Start as root, or name another DATA_DIR.`,
    );
  }
  own({ account: undefined, folder: inside });
  const owner = statSync(inside).uid;
  if (process.getuid && owner !== process.getuid()) {
    throw new PlainError(
      `The database in ${inside} belongs to another account (uid ${owner}). Start as that account or as root, or name another DATA_DIR.`,
    );
  }
  return { account: undefined, folder: inside };
};

const isOursAlone = ({ folder, uid }: { folder: string; uid: number }): boolean => {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
};

/**
 * A folder for the socket: short, and closed to all other accounts, because everybody who can reach the socket has access. The name is
 * derived from the cluster's path, so that no start leaves another folder behind.
 */
export const makeSocketFolder = ({ account, folder }: PostgresLocation): string => {
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  const name = `portal-${createHash("sha256").update(`${uid} ${folder}`).digest("hex").slice(0, 12)}`;
  const bases = [tmpdir(), "/tmp", "/var/tmp"].filter(
    (base) =>
      Buffer.byteLength(join(base, `${name}.XXXXXX`)) <= longestSocketFolder &&
      existsSync(base) &&
      (!account || canEnter({ account, folder: base })),
  );
  const base = bases[0];
  if (!base) throw new PlainError("There is no folder for the socket of PostgreSQL: /tmp cannot be used.");
  const wanted = join(base, name);
  if (!lstatSync(wanted, { throwIfNoEntry: false })) own({ account, folder: wanted });
  if (isOursAlone({ folder: wanted, uid })) return wanted;
  const other = mkdtempSync(`${wanted}.`);
  own({ account, folder: other });
  return other;
};
