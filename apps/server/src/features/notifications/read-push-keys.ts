import { decrypt, encrypt } from "../../domain/encryption.ts";
import { lockText } from "../../platform/db/advisory-locks.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { PushKeys } from "../../ports/notification-channels.ts";
import { findPushKeys, replacePushKeys } from "./push-repository.ts";
import type { NotificationsContext } from "./service.ts";

const purpose = "push private key";

/**
 * The portal's pair of keys, shared by all processes and created on first use. A pair that neither key reads is not replaced, because every
 * device would be lost with it. Errors: `unavailable` until it can be read, or was deleted (`npm run push:reset`).
 */
export async function readPushKeys({
  database,
  push,
  encryptionKeys,
}: Pick<NotificationsContext, "database" | "push" | "encryptionKeys">): Promise<PushKeys> {
  const read = async (db: Parameters<typeof findPushKeys>[0]): Promise<PushKeys | null> => {
    const row = await findPushKeys(db);
    const privateKey = row && decrypt(row.privateKey, { encryptionKeys, purpose });
    if (!row) return null;
    if (!privateKey)
      throw new AppError(
        "unavailable",
        "Push notifications rest: their key cannot be read with this ENCRYPTION_KEY. An administrator finds more under Diagnostics.",
      );
    return { publicKey: row.publicKey, privateKey };
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
      privateKey: encrypt(keys.privateKey, { encryptionKeys, purpose }),
    });
    return keys;
  });
}
