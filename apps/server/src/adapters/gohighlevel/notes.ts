import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { z } from "zod";
import type { Crm } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { Client } from "./client.ts";
import { notesSchema, oneNoteSchema } from "./schemas.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const tags = (names: string) => new Set(names.split(" "));
/** Elements whose content is not part of the note's text. */
const silent = tags(
  "script style head title template noscript iframe object embed svg math select textarea audio video canvas",
);
const blocks = tags(
  "p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tr blockquote pre section article header footer hr figure",
);
const usual = [...silent, ...blocks, ..."a b i u s em strong span br img font code sub sup td th".split(" ")];
/** A tag of the editor, unlike '<5 years' or '<ana@example.com>' that a person typed. */
const tag = new RegExp(`</?(?:${usual.join("|")})(?:\\s[^<]*?)?/?>`, "i");
/** Maximum length that is parsed; longer than any note of the portal with its tags. */
const maxLength = 100_000;
const linked = /^(?:https?:|mailto:|tel:)/i;

function addressOf({ attrs }: Element, words: string): string {
  const address = attrs.find(({ name }) => name === "href")?.value.trim() ?? "";
  const isNew = linked.test(address) && !words.endsWith(address.replace(/^(mailto|tel):/i, ""));
  return isNew ? ` (${address})` : "";
}

function textOfHtml(html: string): string {
  let text = "";
  const newLine = () => {
    // Only the end is checked, because the text can be long.
    if (text !== "" && !/\n(- )?$/.test(`\n${text}`.slice(-3))) text += "\n";
  };
  // Iterative, because the nesting of elements is not limited.
  const open: (Node | (() => void))[] = parseFragment(html.slice(0, maxLength)).childNodes.toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "function") next();
    else if (next.nodeName === "#text") {
      const words = (next as DefaultTreeAdapterTypes.TextNode).value.replace(/\s+/g, " ");
      text += /\s$/.test(text.slice(-1) || " ") ? words.trimStart() : words;
    } else if (next.nodeName === "br") text += "\n";
    else if ("tagName" in next && !silent.has(next.tagName)) {
      const element = next;
      const { tagName, childNodes } = element;
      if (blocks.has(tagName)) newLine();
      if (tagName === "li") text += "- ";
      open.push(() => {
        if (blocks.has(tagName)) newLine();
        else if (tagName === "a") text += addressOf(element, text.trimEnd());
        else if (tagName === "td" || tagName === "th") text += " ";
      });
      open.push(...childNodes.toReversed());
    }
  }
  return text;
}

/**
 * Returns a note as text. The vendor's editor writes HTML, of which only the text, line breaks and link addresses are kept. A note without
 * the editor's tags is returned as typed.
 */
export function noteText(body: string): string {
  if (!tag.test(body)) return body.trim();
  return textOfHtml(body)
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Identifies the portal's note by its title if its id was lost, because the API has no idempotency key. */
const title = "Lead Desk";

function isNotFound(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === "not-found";
}

/** The note at a contact that holds the lead's notes (docs: apps/contacts, notes). */
export function createNotes({ ask }: Client): Pick<Crm, "readNote" | "saveNote" | "removeNote"> {
  async function update(contactId: string, id: string, body: string): Promise<boolean> {
    try {
      await ask({
        send: (sdk, request) => sdk.contacts.updateNote({ contactId, id }, { body }, request),
        schema: z.unknown(),
        tries: 1,
      });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** Finds a note that the portal wrote before, because the response with its id may have been lost. */
  async function findOurs(contactId: string): Promise<string | null> {
    const { notes } = await ask({
      send: (sdk, request) => sdk.contacts.getAllNotes({ contactId }, request),
      schema: notesSchema,
      tries: 1,
    });
    return notes.find((note) => note.title === title)?.id ?? null;
  }

  return {
    async readNote(contactId, noteId) {
      const { note } = await ask({
        send: (sdk, request) => sdk.contacts.getNote({ contactId, id: noteId }, request),
        schema: oneNoteSchema,
        tries: 1,
      });
      const body = note.body ?? note.bodyText ?? "";
      return { body, text: noteText(body) };
    },

    async saveNote(contactId, { noteId, body }) {
      if (noteId !== null && (await update(contactId, noteId, body))) return noteId;
      const ours = await findOurs(contactId);
      if (ours !== null && ours !== noteId && (await update(contactId, ours, body))) return ours;
      const { note } = await ask({
        send: (sdk, request) => sdk.contacts.createNote({ contactId }, { title, body }, request),
        schema: oneNoteSchema,
        tries: 1,
      });
      return note.id;
    },

    async removeNote(contactId, noteId) {
      try {
        await ask({
          send: (sdk, request) => sdk.contacts.deleteNote({ contactId, id: noteId }, request),
          schema: z.unknown(),
          tries: 1,
        });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}
