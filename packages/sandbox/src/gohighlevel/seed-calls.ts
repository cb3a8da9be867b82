import { randomFrom, speechSeconds } from "../audio.ts";
import { idFor } from "../ids.ts";
import type { CallMessage, Contact } from "./entities.ts";

/**
 * Calls from before the portal: the AI agent talked to a third of the leads and failed to reach a few, and some consultants called
 * themselves. Only a conversation that took place has a recording.
 */
export function seedCalls(contacts: Contact[]): CallMessage[] {
  return contacts.flatMap((contact, index) => [
    ...([0, 4, 8].includes(index % 9) ? [aiCall(contact, "talk")] : []),
    ...(index % 9 === 2 ? [aiCall(contact, "missed")] : []),
    ...([0, 5].includes(index % 9) ? userCalls(contact) : []),
  ]);
}

function aiCall(contact: Contact, kind: "talk" | "missed"): CallMessage {
  const talked = kind === "talk";
  return {
    ...callOf(contact, `ai ${kind}`),
    source: "workflow",
    callStatus: talked ? "completed" : "no-answer",
    hasRecording: talked,
    durationSeconds: talked ? speechSeconds(idFor(`call ai ${kind} ${contact.id}`)) : 0,
  };
}

function userCalls(contact: Contact): CallMessage[] {
  if (!contact.assignedTo) return [];
  const call = callOf(contact, "user");
  return [
    {
      ...call,
      source: "app",
      userId: contact.assignedTo,
      callStatus: "completed",
      hasRecording: true,
      durationSeconds: speechSeconds(call.id),
    },
  ];
}

function callOf(
  contact: Contact,
  kind: string,
): Pick<CallMessage, "id" | "conversationId" | "contactId" | "direction" | "dateAdded"> {
  const random = randomFrom(`${kind} ${contact.id}`);
  const added = Date.parse(contact.dateAdded);
  return {
    id: idFor(`call ${kind} ${contact.id}`),
    conversationId: idFor(`conversation ${contact.id}`),
    contactId: contact.id,
    direction: random() < 0.7 ? "outbound" : "inbound",
    dateAdded: new Date(added + Math.floor(random() * 600_000)).toISOString(),
  };
}
