/** Payloads as the vendors' documentation shows them; `n` makes their ids, addresses and numbers differ. */

const phoneOf = (n: number) => `+1212555${String(100 + (n % 100)).padStart(4, "0")}`;
const emailOf = (n: number) => `ana${n}@example.com`;

export const plainLead = (n: number, more: object = {}) => ({
  name: "ana reyes",
  email: emailOf(n),
  phone: phoneOf(n),
  company: "Reyes LLC",
  source: "Web form",
  notes: "Asked for a quote",
  ...more,
});

/** A workflow's "Webhook" action of GoHighLevel. */
export const ghlWorkflow = (n: number, more: object = {}) => ({
  contact_id: `ghlContact${String(n).padStart(10, "0")}`,
  first_name: "Ana",
  last_name: "Reyes",
  full_name: "Ana Reyes",
  email: emailOf(n),
  phone: phoneOf(n),
  tags: "hot,solar",
  location: { name: "Office", id: "loc0000000000000001", city: "Miami" },
  customData: { industry: "Dental" },
  ...more,
});

export const hubspotEvent = (n: number, more: object = {}) => ({
  eventId: 100 + n,
  subscriptionId: 1,
  portalId: 62515,
  appId: 54321,
  occurredAt: 1_763_632_800_000,
  subscriptionType: "contact.creation",
  attemptNumber: 0,
  objectId: 1000 + n,
  changeFlag: "CREATED",
  changeSource: "CRM_UI",
  ...more,
});

export const hubspotChange = (n: number, name: string, value: string, at = 0) =>
  hubspotEvent(n, {
    eventId: `${n}${name}${at}`,
    subscriptionType: "contact.propertyChange",
    propertyName: name,
    propertyValue: value,
    occurredAt: 1_763_632_800_000 + at,
  });

export const hubspotContact = (n: number) => ({
  vid: 1000 + n,
  "canonical-vid": 1000 + n,
  "portal-id": 62515,
  "is-contact": true,
  properties: {
    firstname: { value: "Ana", versions: [] },
    lastname: { value: "Reyes" },
    email: { value: emailOf(n) },
    phone: { value: phoneOf(n) },
    company: { value: "Reyes LLC" },
    hs_lead_status: { value: "IN_PROGRESS" },
    hs_object_id: { value: String(1000 + n) },
  },
  "identity-profiles": [],
});

export const pipedriveV2 = (n: number, data: object = {}, meta: object = {}) => ({
  meta: {
    action: "create",
    entity: "person",
    version: "2.0",
    id: `6f1c-${n}`,
    entity_id: String(70 + n),
    company_id: "1",
    user_id: "2",
    correlation_id: "c",
    timestamp: "2025-11-20T10:00:00.000Z",
    type: "general",
    webhook_id: "9",
    attempt: 1,
    host: "acme.pipedrive.com",
    ...meta,
  },
  data: {
    id: 70 + n,
    name: "Ana Reyes",
    first_name: "Ana",
    last_name: "Reyes",
    emails: [
      { value: "other@example.com", primary: false, label: "home" },
      { value: emailOf(n), primary: true, label: "work" },
    ],
    phones: [{ value: phoneOf(n), primary: true, label: "mobile" }],
    org_id: 5,
    owner_id: 2,
    ...data,
  },
  previous: null,
});

export const pipedriveV1 = (n: number, retry = 0) => ({
  v: 1,
  event: "added.person",
  meta: {
    v: 1,
    action: "added",
    object: "person",
    id: 70 + n,
    company_id: 1,
    user_id: 2,
    host: "acme.pipedrive.com",
    timestamp: 1_763_632_800,
    webhook_id: "9",
  },
  retry,
  current: {
    id: 70 + n,
    name: "Ana Reyes",
    first_name: "Ana",
    last_name: "Reyes",
    email: [{ label: "work", value: emailOf(n), primary: true }],
    phone: [{ label: "mobile", value: phoneOf(n), primary: true }],
    org_name: "Reyes LLC",
  },
  previous: null,
});

export const salesforceLead = (n: number, more: object = {}) => ({
  Id: `00Q${String(n).padStart(12, "0")}AAA`,
  FirstName: "Ana",
  LastName: "Reyes",
  Email: emailOf(n),
  Phone: phoneOf(n),
  Company: "Reyes LLC",
  LeadSource: "Web",
  Status: "Open - Not Contacted",
  ...more,
});

export const salesforceRecordId = (n: number) => `00Q${String(n).padStart(12, "0")}AAA`;

/** A Change Data Capture event as CometD brings it; `header` names other records, types and instants. */
export const salesforceChange = (
  n: number,
  fields: object,
  header: { at?: number; [name: string]: unknown } = {},
) => {
  const { at = 0, ...others } = header;
  return {
    channel: "/data/LeadChangeEvent",
    data: {
      schema: "IeRuaY6cbI_HsV8Rv1Mc5g",
      payload: {
        ChangeEventHeader: {
          entityName: "Lead",
          recordIds: [salesforceRecordId(n)],
          changeType: "UPDATE",
          changeOrigin: "com/salesforce/api/soap/63.0;client=SfdcInternalAPI/",
          transactionKey: `0000-${n}-${at}`,
          sequenceNumber: 1,
          commitTimestamp: 1_763_632_800_000 + at,
          commitNumber: 92_847_272_780 + at,
          commitUser: "005000000000001AAA",
          nulledFields: [],
          diffFields: [],
          changedFields: ["LastModifiedDate", ...Object.keys(fields)],
          ...others,
        },
        LastModifiedDate: new Date(1_763_632_800_000 + at).toISOString(),
        ...fields,
      },
      event: { replayId: n },
    },
  };
};

/** An outbound message with these leads, each by its notification's number. */
export function salesforceMessage(numbers: number[], organizationId = "00D000000000001AAA"): string {
  const notifications = numbers.map(
    (n) => `<Notification>
      <Id>04l${String(n).padStart(12, "0")}AAA</Id>
      <sObject xsi:type="sf:Lead" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">
        <sf:Id>00Q${String(n).padStart(12, "0")}AAA</sf:Id>
        <sf:FirstName>Ana &amp; Jos&#233;</sf:FirstName>
        <sf:LastName>Reyes</sf:LastName>
        <sf:Company>Reyes LLC</sf:Company>
        <sf:Email>${emailOf(n)}</sf:Email>
        <sf:Phone>${phoneOf(n)}</sf:Phone>
        <sf:Industry xsi:nil="true"/>
      </sObject>
    </Notification>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <soapenv:Body>
  <notifications xmlns="http://soap.sforce.com/2005/09/outbound">
   <OrganizationId>${organizationId}</OrganizationId>
   <ActionId>04k000000000001AAA</ActionId>
   <SessionId>00D!secret-session</SessionId>
   <EnterpriseUrl>https://acme.my.salesforce.com/services/Soap/c/63.0/00D</EnterpriseUrl>
   <PartnerUrl>https://acme.my.salesforce.com/services/Soap/u/63.0/00D</PartnerUrl>
   ${notifications.join("\n")}
  </notifications>
 </soapenv:Body>
</soapenv:Envelope>`;
}
