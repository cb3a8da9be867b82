/** Shapes of the fields that the portal reads: fewer than in the vendors' descriptions, which are not always available. */

type Shape = Record<string, unknown>;

const text = { type: "string" };
const number = { type: "number" };
const truth = { type: "boolean" };
const maybe = (shape: Shape): Shape => ({ anyOf: [shape, { type: "null" }] });
const list = (items: Shape): Shape => ({ type: "array", items });
const object = (properties: Record<string, Shape>): Shape => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const call = object({
  sid: { type: "string", pattern: "^CA[0-9a-f]{32}$" },
  parent_call_sid: maybe(text),
  account_sid: { type: "string", pattern: "^AC[0-9a-f]{32}$" },
  to: text,
  from: text,
  status: {
    enum: ["queued", "ringing", "in-progress", "completed", "busy", "failed", "no-answer", "canceled"],
  },
  start_time: maybe(text),
  end_time: maybe(text),
  duration: maybe(text),
  direction: text,
  uri: text,
});
const paged = (name: string, row: Shape): Shape =>
  object({
    [name]: list(row),
    page: number,
    page_size: number,
    uri: text,
    first_page_uri: text,
    next_page_uri: maybe(text),
  });
const phoneNumber = object({
  sid: text,
  phone_number: text,
  friendly_name: text,
  capabilities: object({ voice: truth }),
});

const textMessage = object({
  sid: { type: "string", pattern: "^SM[0-9a-f]{32}$" },
  to: text,
  from: text,
  body: text,
  status: text,
  direction: text,
  num_segments: text,
  error_code: maybe(number),
  date_sent: maybe(text),
});

const service = object({
  sid: { type: "string", pattern: "^MG[0-9a-f]{32}$" },
  inbound_request_url: maybe(text),
  inbound_method: text,
  sticky_sender: truth,
  use_inbound_webhook_on_number: truth,
});

const recording = object({
  sid: { type: "string", pattern: "^RE[0-9a-f]{32}$" },
  call_sid: { type: "string", pattern: "^CA[0-9a-f]{32}$" },
  status: { enum: ["in-progress", "processing", "completed", "absent"] },
  source: text,
  channels: number,
  duration: maybe(text),
  date_created: text,
  start_time: text,
  media_url: text,
});

const contact = object({
  id: text,
  locationId: text,
  dnd: truth,
  tags: list(text),
  dateAdded: text,
  dateUpdated: text,
});
const user = object({ id: text, name: text, email: text, roles: object({ role: text }) });
const field = object({ id: text, name: text, fieldKey: text, dataType: text });
const note = object({ note: object({ id: text, body: text, contactId: text }) });
const tags = object({ tags: list(text) });
const written = object({ succeded: truth, contact });
const message = object({
  id: text,
  messageType: text,
  contactId: text,
  conversationId: text,
  direction: text,
});

const googleEvent = object({
  kind: text,
  etag: text,
  id: text,
  status: { enum: ["confirmed", "tentative", "cancelled"] },
  updated: text,
  start: { type: "object" },
  end: { type: "object" },
  organizer: object({ email: text }),
});

const ACCOUNTS = "/2010-04-01/Accounts";

/** By method, path and status. */
export const OWN_SHAPES: Record<string, Shape | undefined> = {
  "post /oauth/token 200": object({
    access_token: text,
    token_type: text,
    expires_in: number,
    refresh_token: text,
    scope: text,
    userType: text,
    companyId: text,
    userId: text,
  }),
  [`get ${ACCOUNTS}/{Sid}.json 200`]: object({ sid: text, status: text, friendly_name: text }),
  [`post ${ACCOUNTS}/{AccountSid}/Calls.json 201`]: call,
  [`get ${ACCOUNTS}/{AccountSid}/Calls.json 200`]: paged("calls", call),
  [`get ${ACCOUNTS}/{AccountSid}/Calls/{Sid}.json 200`]: call,
  [`post ${ACCOUNTS}/{AccountSid}/Calls/{Sid}.json 200`]: call,
  [`get ${ACCOUNTS}/{AccountSid}/IncomingPhoneNumbers.json 200`]: paged(
    "incoming_phone_numbers",
    phoneNumber,
  ),
  [`get ${ACCOUNTS}/{AccountSid}/IncomingPhoneNumbers/{Sid}.json 200`]: phoneNumber,
  [`post ${ACCOUNTS}/{AccountSid}/IncomingPhoneNumbers/{Sid}.json 200`]: phoneNumber,
  [`post ${ACCOUNTS}/{AccountSid}/Messages.json 201`]: textMessage,
  [`get ${ACCOUNTS}/{AccountSid}/Messages.json 200`]: paged("messages", textMessage),
  [`get ${ACCOUNTS}/{AccountSid}/Messages/{Sid}.json 200`]: textMessage,
  [`get ${ACCOUNTS}/{AccountSid}/Recordings.json 200`]: paged("recordings", recording),
  [`get ${ACCOUNTS}/{AccountSid}/Recordings/{Sid}.json 200`]: recording,
  "get /v1/Services 200": object({ services: list(service), meta: object({ key: text }) }),
  "get /v1/Services/{Sid} 200": service,
  "get /v1/Services/{ServiceSid}/PhoneNumbers 200": object({
    phone_numbers: list(object({ sid: text, phone_number: text, service_sid: text })),
    meta: object({ key: text }),
  }),
  "google Event": googleEvent,
  "google Events": object({ kind: text, etag: text, items: list({ type: "object" }) }),
  "post /contacts/ 201": object({ contact }),
  "post /contacts/upsert 200": object({ new: truth, contact }),
  "get /contacts/{contactId} 200": object({ contact }),
  "put /contacts/{contactId} 200": written,
  "put /contacts/{contactId} 422": object({ statusCode: number, message: list(text), error: text }),
  "delete /contacts/{contactId} 200": object({ succeded: truth }),
  "post /contacts/{contactId}/tags 201": tags,
  "delete /contacts/{contactId}/tags 200": tags,
  "post /contacts/{contactId}/notes 201": note,
  "put /contacts/{contactId}/notes/{id} 200": note,
  "get /contacts/{contactId}/notes 200": object({ notes: list(object({ id: text, body: text })) }),
  "get /users/ 200": object({ users: list(user) }),
  "get /users/search 200": object({ users: list(user), count: number }),
  "get /locations/{locationId} 200": object({ location: object({ id: text, name: text, timezone: text }) }),
  "get /locations/{locationId} 401": object({ statusCode: number, message: text }),
  "get /locations/{locationId}/customFields 200": object({ customFields: list(field) }),
  "post /locations/{locationId}/customFields 201": object({ customField: field }),
  "get /conversations/search 200": object({
    conversations: list(object({ id: text, contactId: text, lastMessageType: text })),
    total: number,
  }),
  "get /conversations/messages/export 200": object({ messages: list(message), total: number }),
};
