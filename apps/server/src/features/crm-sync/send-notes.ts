import type { Crm } from "../../ports/crm.ts";
import { NotKeptError } from "./send-changes.ts";

/** Letters of a note as a person reads them: the vendor's editor may have wrapped them. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_whole, name: string) => entities[name] ?? " ")
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");
}
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/**
 * Writes a lead's notes as the one note that the portal keeps at its contact, and reads it back; empty notes take it away. Answers the
 * note's id, null where there is none any more. Errors: `ProviderError`, `NotKeptError`.
 */
export async function sendNotes(
  crm: Crm,
  contactId: string,
  { noteId, notes }: { noteId: string | null; notes: string | null },
  onWritten: (noteId: string) => Promise<void>,
): Promise<string | null> {
  if (notes === null || notes.trim() === "") {
    if (noteId !== null) await crm.removeNote(contactId, noteId);
    return null;
  }
  const id = await crm.saveNote(contactId, { noteId, body: notes });
  // Before anything else can fail, so that the next try writes the same note.
  if (id !== noteId) await onWritten(id);
  const kept = await crm.readNote(contactId, id);
  if (plain(kept) !== plain(notes)) throw new NotKeptError("notes");
  return id;
}
