import { GHL_LOCATION_ID, GHL_TOKEN } from "../defaults.ts";
import { temporarySandbox } from "./temporary-sandbox.ts";
import { ghlClient } from "./vendor-clients.ts";

/** A contact in a search result, with the fields that tests read. */
export interface Found {
  id: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  assignedTo: string | null;
  dnd: boolean;
  dndSettings: Record<string, { status: string }>;
  dateAdded: string;
  dateUpdated: string;
  customFields: { id: string; value: unknown }[];
  searchAfter: [number, string];
}

interface Page {
  contacts: Found[];
  total: number;
}

/** A sandbox without GHL's rate limit, its official client, and plain requests to it. */
export async function temporaryGhl() {
  const sandbox = await temporarySandbox({ ghlRateLimit: false });
  const client = ghlClient(sandbox.url);

  async function search(body: object = {}): Promise<Page> {
    const request = { locationId: GHL_LOCATION_ID, pageLimit: 100, ...body };
    return (await client.contacts.searchContactsAdvanced(request)) as Page;
  }

  /** Follows searchAfter to the end. */
  async function searchAll(body: object = {}): Promise<Found[]> {
    const all: Found[] = [];
    for (let after: unknown; ; after = all.at(-1)?.searchAfter) {
      const { contacts } = await search({ ...body, ...(after ? { searchAfter: after } : {}) });
      if (contacts.length === 0) return all;
      all.push(...contacts);
    }
  }

  /** A plain request with the location's token. */
  async function rest(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${sandbox.url}/ghl${path}`, {
      method,
      headers: {
        authorization: `Bearer ${GHL_TOKEN}`,
        version: "2021-07-28",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  return { ...sandbox, client, search, searchAll, rest };
}
