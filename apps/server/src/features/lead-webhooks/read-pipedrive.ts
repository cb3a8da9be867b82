import { cut, type Fields, idOf, isObject, keyOf, type ReadBody } from "./delivery-event.ts";
import { payloadFields } from "./payload-fields.ts";
import { readGeneric } from "./read-generic.ts";

/** What is said of a person; the rest of Pipedrive's record is its own bookkeeping. */
const personFields = ["name", "first_name", "last_name", "job_title", "notes", "label"];
const taken = new Set(["create", "change", "added", "updated"]);

/** v2 and v1 name a person's addresses both ways. */
function personOf(record: Fields): Fields {
  const organization = isObject(record.org_id) ? record.org_id.name : null;
  return payloadFields({
    ...Object.fromEntries(personFields.map((name) => [name, record[name]])),
    email: record.emails ?? record.email,
    phone: record.phones ?? record.phone,
    company: record.org_name ?? organization,
    custom_fields: record.custom_fields,
  });
}

/** Persons of Pipedrive's webhooks, v1 and v2 (pipedrive.readme.io, guide-for-webhooks, guide-for-webhooks-v2). */
export function readPipedrive(payload: unknown): ReadBody {
  if (!isObject(payload) || !isObject(payload.meta)) return readGeneric(payload);
  const { meta, retry: _retry, ...rest } = payload;
  const entity = meta.entity ?? meta.object;
  const action = String(meta.action);
  const eventId = idOf(meta.version ? meta.id : null);
  // v1 gives no event id: its content, without the number of the try, is the same in every repeat.
  const key = eventId ? keyOf("v2", eventId) : keyOf("v1", meta, rest);
  const record = payload.data ?? payload.current;
  const externalId = idOf(meta.entity_id ?? (isObject(record) ? record.id : meta.id));
  const ignored = (reason: string): ReadBody => ({ events: [{ kind: "ignored", key, externalId, reason }] });
  if (entity !== "person") return ignored(`Not about a person: ${cut(String(entity), 40)}.`);
  if (!taken.has(action)) return ignored(`Nothing is taken from a person's ${cut(action, 40)}.`);
  if (!isObject(record)) return { fault: "The person's data is missing." };
  return { events: [{ kind: "contact", key, externalId, fields: personOf(record) }] };
}
