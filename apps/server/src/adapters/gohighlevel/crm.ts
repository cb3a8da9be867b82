import { Readable } from "node:stream";
import { z } from "zod";
import type { Crm, CrmContact, CrmCursor } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { type Client, conversationsVersion, createClient, type GoHighLevelOptions } from "./client.ts";
import { fault } from "./faults.ts";
import {
  callPageSchema,
  contactPageSchema,
  customFieldsSchema,
  dndSettingsSchema,
  oneContactSchema,
  usersSchema,
} from "./schemas.ts";
import { type FieldNames, fieldNames, isReject, toCall, toContact, toUsers } from "./transform.ts";

/** The vendor's largest pages. */
const contactsPerPage = 500;
const callsPerPage = 500;
const fieldsKeptMs = 5 * 60_000;

/** The custom fields' names, asked for anew at the start of a sync and every few minutes. */
function createFieldReader({ ask, locationId }: Client) {
  let known: FieldNames = new Map();
  let until = 0;
  return async (fresh: boolean): Promise<FieldNames> => {
    if (!fresh && until > Date.now()) return known;
    known = fieldNames(
      await ask({
        send: (sdk, options) => sdk.locations.getCustomFields({ locationId, model: "contact" }, options),
        schema: customFieldsSchema,
      }),
    );
    until = Date.now() + fieldsKeptMs;
    return known;
  };
}

/** Where the page after this one begins: the position of the last contact that has one. */
function nextCursor(contacts: unknown[], cursor: CrmCursor | null): CrmCursor | null {
  const last = contacts.findLast((contact) =>
    Array.isArray((contact as { searchAfter?: unknown } | null)?.searchAfter),
  ) as { searchAfter: CrmCursor } | undefined;
  // A page that ends where it began would be read for ever.
  if (!last || JSON.stringify(last.searchAfter) === JSON.stringify(cursor)) return null;
  return last.searchAfter;
}

function understood(raw: unknown, fields: FieldNames): CrmContact {
  const contact = toContact(raw, fields);
  if (!isReject(contact)) return contact;
  throw new ProviderError({
    provider: "gohighlevel",
    kind: "invalid",
    message: `GoHighLevel's contact ${contact.reason}.`,
  });
}

/** GoHighLevel as the portal's CRM, through the vendor's own client (docs/providers/gohighlevel.md). */
export function createGoHighLevel(options: GoHighLevelOptions): Crm {
  const client = createClient(options);
  const { ask, open, locationId } = client;
  const readFields = createFieldReader(client);

  return {
    async listUsers({ once = false } = {}) {
      const answer = await ask({
        send: (sdk, request) => sdk.users.getUserByLocation({ locationId }, request),
        schema: usersSchema,
        ...(once && { tries: 1 }),
      });
      return toUsers(answer);
    },

    async contactPage({ cursor, signal }) {
      const fields = await readFields(cursor === null);
      const body = {
        locationId,
        pageLimit: contactsPerPage,
        // Changed contacts move to the end, so that none is passed over while pages are read.
        sort: [{ field: "dateUpdated", direction: "asc" }],
        ...(cursor && { searchAfter: cursor }),
      };
      const { contacts } = await ask({
        send: (sdk, request) => sdk.contacts.searchContactsAdvanced(body, request),
        schema: contactPageSchema,
        signal,
      });
      const outcomes = contacts.map((contact) => toContact(contact, fields));
      return {
        contacts: outcomes.filter((outcome): outcome is CrmContact => !isReject(outcome)),
        rejects: outcomes.filter(isReject),
        next: nextCursor(contacts, cursor),
      };
    },

    async readContact(contactId) {
      const fields = await readFields(false);
      const { contact } = await ask({
        send: (sdk, request) => sdk.contacts.getContact({ contactId }, request),
        schema: oneContactSchema,
        tries: 1,
      });
      return understood(contact, fields);
    },

    async updateContact(contactId, patch) {
      await ask({
        send: (sdk, request) => sdk.contacts.updateContact({ contactId }, patch, request),
        schema: z.unknown(),
        tries: 1,
      });
    },

    async setTextsBlocked(contactId, blocked) {
      // The settings are written whole: the other channels are read first and sent back as they were.
      const { contact } = await ask({
        send: (sdk, request) => sdk.contacts.getContact({ contactId }, request),
        schema: oneContactSchema,
        tries: 1,
      });
      const { dndSettings } = dndSettingsSchema.parse(contact);
      const SMS = {
        status: blocked ? ("active" as const) : ("inactive" as const),
        message: blocked ? "Asked for by text message" : "Allowed again by text message",
        code: blocked ? "STOP" : "START",
      };
      await ask({
        send: (sdk, request) =>
          sdk.contacts.updateContact({ contactId }, { dndSettings: { ...dndSettings, SMS } }, request),
        schema: z.unknown(),
        tries: 1,
      });
    },

    async callPage({ cursor, signal }) {
      const [position] = cursor ?? [];
      const { messages, nextCursor: next } = await ask({
        send: (sdk, request) =>
          sdk.conversations.exportMessagesByLocation(
            {
              locationId,
              channel: "Call",
              limit: callsPerPage,
              sortBy: "createdAt",
              sortOrder: "asc",
              ...(typeof position === "string" && { cursor: position }),
            },
            request,
          ),
        schema: callPageSchema,
        version: conversationsVersion,
        signal,
      });
      const calls = messages.map(toCall).filter((call) => call !== null);
      return { calls, next: next && next !== position ? [next] : null };
    },

    async openRecording(messageId, { signal }) {
      const answer = await open(
        (sdk, request) => sdk.conversations.getMessageRecording({ messageId, locationId }, request),
        { version: conversationsVersion, signal },
      );
      if (!(answer.data instanceof Readable)) throw new Error("a recording was not streamed");
      const body = answer.data;
      const refusal = fault({ ...answer, data: "" });
      if (refusal) {
        body.destroy();
        // The vendor answers 400 as well where a message has no sound.
        if (refusal.kind !== "invalid") throw refusal;
        throw new ProviderError({ provider: "gohighlevel", kind: "not-found", message: refusal.message });
      }
      const length = Number(answer.headers["content-length"] ?? Number.NaN);
      return {
        contentType: String(answer.headers["content-type"] ?? ""),
        length: Number.isSafeInteger(length) ? length : null,
        body,
      };
    },
  };
}
