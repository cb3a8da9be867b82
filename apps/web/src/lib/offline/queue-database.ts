import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { QueueItem } from "./queue-item.ts";

interface QueueSchema extends DBSchema {
  items: { key: number; value: QueueItem; indexes: { userId: number } };
}

let opened: Promise<IDBPDatabase<QueueSchema>> | undefined;

/** The browser's database of what waits to be sent. @throws where a browser keeps none. */
function database(): Promise<IDBPDatabase<QueueSchema>> {
  opened ??= openDB<QueueSchema>("lead-desk", 1, {
    upgrade(db) {
      db.createObjectStore("items", { keyPath: "id", autoIncrement: true }).createIndex("userId", "userId");
    },
    // A newer version of the portal in another tab waits for this one to let go.
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

/** Writes an item down, also against a loss of power, and answers its id. */
export async function addItem(item: Omit<QueueItem, "id">): Promise<number> {
  const transaction = (await database()).transaction("items", "readwrite", { durability: "strict" });
  // The id is the database's.
  const [id] = await Promise.all([transaction.store.add(item as QueueItem), transaction.done]);
  return id;
}

/** A person's items in the order in which they were said. */
export async function listItems(userId: number): Promise<QueueItem[]> {
  return (await database()).getAllFromIndex("items", "userId", userId);
}

/** How much waits in this browser, whoever said it; 0 where the browser keeps nothing. */
export async function countAllItems(): Promise<number> {
  return database().then(
    (db) => db.count("items"),
    () => 0,
  );
}

export async function findItem(id: number): Promise<QueueItem | undefined> {
  return (await database()).get("items", id);
}

/** Writes what has become of an item; one that is gone by now stays so. */
export async function replaceItem(item: QueueItem): Promise<void> {
  const { store, done } = (await database()).transaction("items", "readwrite");
  if (await store.get(item.id)) await store.put(item);
  await done;
}

export async function removeItem(id: number): Promise<void> {
  await (await database()).delete("items", id);
}

/** Removes all that waits for a person. */
export async function clearItems(userId: number): Promise<void> {
  const { store, done } = (await database()).transaction("items", "readwrite");
  for (const id of await store.index("userId").getAllKeys(userId)) await store.delete(id);
  await done;
}
