import { STORAGE_KEYS, writeStored } from "./storage-keys.ts";

/**
 * Remembers that this browser has fetched the product's font: outlines are then drawn in it (styles.css). On a first visit they are not, so
 * that the code need not wait for it.
 */
export async function rememberFont(): Promise<void> {
  const faces = await document.fonts.load('1rem "Inter Variable"').catch(() => []);
  if (faces.length > 0) writeStored(STORAGE_KEYS.fontSeen, "true");
}
