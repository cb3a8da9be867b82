import { CrmScopeMissing, CrmWrongLocation } from "../../ports/crm-app.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { conversationsVersion, type Send } from "./client.ts";

/** No contact's: theirs have 20 letters and digits. */
const nobody = "portal-scope-check";

interface Question {
  scope: string;
  send: Send;
  version?: string;
  /** Asked about a record that there is not: any other refusal than for the scope shows it granted. */
  ofNobody?: true;
}

/**
 * What shows whether a key has a scope, without changing anything: a read of one record, and a write to a contact that does not exist. Users
 * are asked for by the probe itself; fields can only be made in earnest (docs/providers/gohighlevel.md).
 */
const questions: Question[] = [
  {
    scope: "contacts.readonly",
    send: (sdk, request, locationId) =>
      sdk.contacts.searchContactsAdvanced({ locationId, pageLimit: 1 }, request),
  },
  {
    scope: "contacts.write",
    send: (sdk, request) => sdk.contacts.updateContact({ contactId: nobody }, {}, request),
    ofNobody: true,
  },
  {
    scope: "locations.readonly",
    send: (sdk, request, locationId) => sdk.locations.getLocation({ locationId }, request),
  },
  {
    scope: "locations/customFields.readonly",
    send: (sdk, request, locationId) =>
      sdk.locations.getCustomFields({ locationId, model: "contact" }, request),
  },
  {
    scope: "conversations/message.readonly",
    send: (sdk, request, locationId) =>
      sdk.conversations.exportMessagesByLocation({ locationId, channel: "Call", limit: 10 }, request),
    version: conversationsVersion,
  },
];

/** Whether a refusal is for the scope alone: some of the vendor's services answer 403 without a word about it. */
const isForScope = (error: ProviderError) =>
  error instanceof CrmScopeMissing ||
  (error.kind === "auth" && error.httpStatus === 403 && !(error instanceof CrmWrongLocation));

/** The scopes that a key lacks. `open` asks once. Errors: `ProviderError` where that cannot be told of one of them. */
export async function findMissingScopes(
  open: (send: Send, version?: string) => Promise<unknown>,
): Promise<string[]> {
  const missing = await Promise.all(
    questions.map(async ({ scope, send, version, ofNobody }) => {
      try {
        await open(send, version);
        return [];
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (isForScope(error)) return [scope];
        if (ofNobody && ["not-found", "invalid"].includes(error.kind)) return [];
        throw error;
      }
    }),
  );
  return missing.flat();
}
