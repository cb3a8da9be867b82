import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * Hashing a password costs 75 ms of a core, on purpose, and tests sign in hundreds of times with the same password and salt: the same
 * hash is computed once a worker.
 */
const { scrypt } = crypto;
const hashes = new Map<string, Promise<Buffer>>();

function hashOnce(
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  done: (error: Error | null, hash: Buffer) => void,
): void {
  const key = JSON.stringify([password, salt, length, options]);
  let hash = hashes.get(key);
  if (!hash) {
    hash = new Promise((resolve, reject) => {
      scrypt(password, salt, length, options, (error, result) => (error ? reject(error) : resolve(result)));
    });
    hashes.set(key, hash);
  }
  hash.then(
    (result) => done(null, Buffer.from(result)),
    (error) => done(error, Buffer.alloc(0)),
  );
}

crypto.scrypt = hashOnce as typeof scrypt;
syncBuiltinESMExports();
