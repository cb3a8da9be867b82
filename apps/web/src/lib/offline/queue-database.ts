import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { QueueItem } from "./queue-item.ts";

interface QueueSchema extends DBSchema {
  items: { key: number; value: QueueItem; indexes: { userId: number } };
}

let opened: Promise<IDBPDatabase<QueueSchema>> | undefined;

/** Opens the browser's database of queued writes. @throws where the browser has none. */
function database(): Promise<IDBPDatabase<QueueSchema>> {
  opened ??= openDB<QueueSchema>("lead-desk", 1, {
    upgrade(db) {
      db.createObjectStore("items", { keyPath: "id", autoIncrement: true }).createIndex("userId", "userId");
    },
    // Closes for a newer version of the portal in another tab, which waits for it.
    blocking: (_current, _blocked, event) => {
      opened = undefined;
      (event.target as IDBDatabase).close();
    },
    terminated: () => {
      opened = undefined;
    },
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/** Stores an item durably, so that it survives a power loss, and returns its id. */
export async function addItem(item: Omit<QueueItem, "id">): Promise<number> {
  const transaction = (await database()).transaction("items", "readwrite", { durability: "strict" });
  // The database assigns the id.
  const [id] = await Promise.all([transaction.store.add(item as QueueItem), transaction.done]);
  return id;
}

/** A person's items in their order. */
export async function listItems(userId: number): Promise<QueueItem[]> {
  return (await database()).getAllFromIndex("items", "userId", userId);
}

/** Number of queued items in this browser, of all accounts; 0 where it has no database. */
export async function countAllItems(): Promise<number> {
  return database().then(
    (db) => db.count("items"),
    () => 0,
  );
}

export async function findItem(id: number): Promise<QueueItem | undefined> {
  return (await database()).get("items", id);
}

/** Updates an item; one that was removed meanwhile stays removed. */
export async function replaceItem(item: QueueItem): Promise<void> {
  const { store, done } = (await database()).transaction("items", "readwrite");
  if (await store.get(item.id)) await store.put(item);
  await done;
}

export async function removeItem(id: number): Promise<void> {
  await (await database()).delete("items", id);
}

/** Removes all items of a person. */
export async function clearItems(userId: number): Promise<void> {
  const { store, done } = (await database()).transaction("items", "readwrite");
  for (const id of await store.index("userId").getAllKeys(userId)) await store.delete(id);
  await done;
}
