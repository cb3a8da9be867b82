import { readStored, type StorageKey, writeStored } from "../../lib/storage-keys.ts";

interface Claim {
  /** Where this browser keeps what was told. */
  store: StorageKey;
  /** What is told, without spaces. */
  mark: string;
  /** Whether a mark is of no more use. */
  isOver: (mark: string) => boolean;
}

function take({ store, mark, isOver }: Claim): boolean {
  const told = (readStored(store) ?? "").split(" ").filter(Boolean);
  if (told.includes(mark)) return false;
  writeStored(store, [...told.filter((each) => !isOver(each)), mark].join(" "));
  return true;
}

/** Whether this tab is the one that tells: of all tabs of the browser exactly one, once. */
export async function claimOnce(claim: Claim): Promise<boolean> {
  // Without Web Locks (plain http in a LAN) two tabs may look at the same moment; the notification's tag then holds them together.
  if (!("locks" in navigator)) return take(claim);
  return navigator.locks.request(claim.store, async () => take(claim));
}
