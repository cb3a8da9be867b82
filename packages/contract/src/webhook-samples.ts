import type { WebhookSource } from "./entities/lead-webhook.ts";

const person = { first: "Elena", last: "Prado", email: "elena.prado@example.com", phone: "+12125550147" };
const company = "Prado Panadería";

/** Sample payload of each system for an invented person. The id differs per test, as it does with real senders. */
export const webhookSamples: Record<WebhookSource, (id: string) => object> = {
  lead: () => ({
    name: `${person.first} ${person.last}`,
    email: person.email,
    phone: person.phone,
    company,
    source: "Webhook test",
    notes: "Sent by the test of the Webhooks tab",
  }),
  salesforce: () => ({
    Id: "00Q000000000001AAA",
    FirstName: person.first,
    LastName: person.last,
    Email: person.email,
    Phone: person.phone,
    Company: company,
    LeadSource: "Web",
    Status: "Open - Not Contacted",
  }),
  hubspot: () => ({
    vid: 123,
    "is-contact": true,
    properties: {
      firstname: { value: person.first },
      lastname: { value: person.last },
      email: { value: person.email },
      phone: { value: person.phone },
      company: { value: company },
    },
  }),
  pipedrive: (id) => ({
    meta: { action: "create", entity: "person", version: "2.0", id, entity_id: "77", attempt: 1 },
    data: {
      id: 77,
      name: `${person.first} ${person.last}`,
      first_name: person.first,
      last_name: person.last,
      emails: [{ value: person.email, primary: true, label: "work" }],
      phones: [{ value: person.phone, primary: true, label: "mobile" }],
    },
    previous: null,
  }),
};
