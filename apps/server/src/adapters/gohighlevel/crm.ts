import { Readable } from "node:stream";
import type { Crm, CrmContact, CrmCursor } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { conversationsVersion, createClient, type GoHighLevelOptions, type PageRequest } from "./client.ts";
import { fault, TimeoutError, TooLargeError } from "./errors.ts";
import { createNotes } from "./notes.ts";
import { createContactWriter, createFields } from "./own-fields.ts";
import { callPageSchema, contactPageSchema, oneContactSchema } from "./schemas.ts";
import { type FieldNames, isReject, toCall, toContact, toFound } from "./transform.ts";
import { createUsers } from "./users.ts";

/** Page sizes, the vendor's maximum first. After a timeout the next size is used. */
const sizes = [500, 200, 100] as const;
/** Page sizes after a response that is too large. */
const smaller = [...sizes, 10, 1] as const;
const smallest = sizes.length - 1;

/**
 * Requests pages as large as the account can return in time. After a timeout the smaller size is used until a full read starts again. A
 * response that is too large depends on its records, so the next page has the previous size.
 */
function createPageSize() {
  let step = 0;

  return async function readPage<Page>(
    ask: (page: PageRequest) => Promise<Page>,
    { begins, most = sizes[0] }: { begins: boolean; most?: number },
  ): Promise<Page> {
    if (begins) step = 0;
    for (let tried = step; ; tried += 1) {
      const limit = Math.min(most, smaller[tried] ?? 1);
      try {
        return await ask({ limit, mayShrink: tried < smallest });
      } catch (error) {
        if (error instanceof TooLargeError && limit > 1) {
          tried = smaller.findLastIndex((size) => size >= limit);
          continue;
        }
        if (!(error instanceof TimeoutError) || tried >= smallest) throw error;
        step = Math.max(step, tried + 1);
      }
    }
  };
}

/** The first page of recent changes is small, so that few known contacts are read again. Large pages follow. */
const firstChanges = 100;

/** Position after a page: that of its last contact with a position; null if none has one. */
function positionAfter(contacts: unknown[]): CrmCursor | null {
  const last = contacts.findLast((contact) =>
    Array.isArray((contact as { searchAfter?: unknown } | null)?.searchAfter),
  ) as { searchAfter: CrmCursor } | undefined;
  return last?.searchAfter ?? null;
}

const isSame = (a: CrmCursor | null, b: CrmCursor | null): boolean => JSON.stringify(a) === JSON.stringify(b);

const pageFault = (message: string) =>
  new ProviderError({ provider: "gohighlevel", kind: "unavailable", message, httpStatus: 200 });

/** Throws if it is unknown what follows a full page. Otherwise the contacts read so far would be taken for all. */
function checkPosition(contacts: unknown[], limit: number, cursor: CrmCursor | null): void {
  if (contacts.length < limit) return;
  const next = positionAfter(contacts);
  if (next === null) throw pageFault("GoHighLevel does not say where the next page of contacts begins.");
  if (isSame(next, cursor)) throw pageFault("GoHighLevel sent the same page of contacts again.");
}

/** Whether a page in descending order of the last change has reached contacts that changed before `since`. */
function isOlder(contacts: unknown[], since: Date): boolean {
  const last = contacts.at(-1) as { dateUpdated?: unknown } | null | undefined;
  const at = new Date(String(last?.dateUpdated));
  return at < since;
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
  const { ask, open } = client;
  const fields = createFields(client);
  const contactPages = createPageSize();
  const callPages = createPageSize();

  return {
    updateContact: createContactWriter(client, fields),
    ...createNotes(client),
    listUsers: createUsers(client),

    async contactPage({ cursor, changedSince = null, signal }) {
      const names = await fields.read(cursor === null);
      const body = {
        // Ascending: contacts that change during the read move to the end, so that none is skipped.
        sort: [{ field: "dateUpdated", direction: changedSince ? "desc" : "asc" }],
        ...(cursor && { searchAfter: cursor }),
      };
      const read = () =>
        contactPages(
          async (page) => {
            const answer = await ask({
              send: (sdk, request, locationId) =>
                sdk.contacts.searchContactsAdvanced({ locationId, ...body, pageLimit: page.limit }, request),
              schema: contactPageSchema,
              page,
              signal,
            });
            return { ...answer, limit: page.limit };
          },
          {
            begins: cursor === null && changedSince === null,
            ...(cursor === null && changedSince !== null && { most: firstChanges }),
          },
        );
      let { contacts, limit } = await read();
      // The page before once more, which is no end: asked for again.
      if (cursor !== null && isSame(positionAfter(contacts), cursor)) ({ contacts, limit } = await read());
      const found = contacts.map((contact) => toFound(contact, names));
      const done = changedSince !== null && isOlder(contacts, changedSince);
      if (!done) checkPosition(contacts, limit, cursor);
      return {
        found: found.filter(({ updatedAt }) => !changedSince || !updatedAt || updatedAt >= changedSince),
        // A last page that ends where it was asked for holds nothing new.
        next: done || isSame(positionAfter(contacts), cursor) ? null : positionAfter(contacts),
      };
    },

    async readContact(contactId, { patient = false } = {}) {
      const names = await fields.read(false);
      const { contact } = await ask({
        send: (sdk, request) => sdk.contacts.getContact({ contactId }, request),
        schema: oneContactSchema,
        ...(!patient && { tries: 1 }),
      });
      return understood(contact, names);
    },

    async callPage({ cursor, signal }) {
      const [position] = cursor ?? [];
      const { messages, nextCursor: next } = await callPages(
        (page) =>
          ask({
            send: (sdk, request, locationId) =>
              sdk.conversations.exportMessagesByLocation(
                {
                  locationId,
                  channel: "Call",
                  limit: page.limit,
                  sortBy: "createdAt",
                  sortOrder: "asc",
                  ...(typeof position === "string" && { cursor: position }),
                },
                request,
              ),
            schema: callPageSchema,
            version: conversationsVersion,
            page,
            signal,
          }),
        { begins: cursor === null },
      );
      const calls = messages.map(toCall).filter((call) => call !== null);
      return { calls, next: next && next !== position ? [next] : null };
    },

    async openRecording(messageId, { signal }) {
      const answer = await open(
        (sdk, request, locationId) =>
          sdk.conversations.getMessageRecording({ messageId, locationId }, request),
        { version: conversationsVersion, signal },
      );
      const body = answer.data;
      const refusal = fault({ ...answer, data: "" });
      if (refusal) {
        if (body instanceof Readable) body.destroy();
        // The vendor also responds with 400 if a message has no audio.
        if (refusal.kind !== "invalid") throw refusal;
        throw new ProviderError({ provider: "gohighlevel", kind: "not-found", message: refusal.message });
      }
      if (!(body instanceof Readable)) throw new Error("a recording was not streamed");
      const length = Number(answer.headers["content-length"] ?? Number.NaN);
      return {
        contentType: String(answer.headers["content-type"] ?? ""),
        length: Number.isSafeInteger(length) ? length : null,
        body,
      };
    },
  };
}
