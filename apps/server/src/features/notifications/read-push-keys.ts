import { decrypt, encrypt } from "../../domain/encryption.ts";
import { lockText } from "../../platform/db/advisory-locks.ts";
import type { PushKeys } from "../../ports/push-service.ts";
import { findPushKeys, replacePushKeys } from "./push-repository.ts";
import type { NotificationsContext } from "./service.ts";

const purpose = "push private key";

/**
 * The portal's pair of keys, shared by all processes and created on first use. A pair encrypted with another ENCRYPTION_KEY is replaced;
 * browsers then subscribe again when their user opens the portal.
 */
export async function readPushKeys({
  database,
  push,
  encryptionKey,
}: Pick<NotificationsContext, "database" | "push" | "encryptionKey">): Promise<PushKeys> {
  const read = async (db: Parameters<typeof findPushKeys>[0]): Promise<PushKeys | null> => {
    const row = await findPushKeys(db);
    const privateKey = row && decrypt(row.privateKey, { encryptionKey, purpose });
    return row && privateKey ? { publicKey: row.publicKey, privateKey } : null;
  };
  const known = await read(database.db);
  if (known) return known;
  return database.transaction(async (tx) => {
    await lockText(tx, "pushKeys", "");
    const made = await read(tx);
    if (made) return made;
    const keys = push.newKeys();
    await replacePushKeys(tx, {
      publicKey: keys.publicKey,
      privateKey: encrypt(keys.privateKey, { encryptionKey, purpose }),
    });
    return keys;
  });
}
