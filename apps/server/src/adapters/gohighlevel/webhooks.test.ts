import { createHash, createPrivateKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createGoHighLevelWebhooks, readPublicKey } from "./webhooks.ts";

/** RFC 8032 §7.1, tests 1 to 3: seed, public key, message and signature, in hexadecimal. */
const vectors = [
  [
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  ],
  [
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "72",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  ],
  [
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
  ],
] as const;

const spki = (rawKey: string) =>
  Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(rawKey, "hex")]).toString(
    "base64",
  );

const locationId = "loc0000000000000001";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const webhooks = createGoHighLevelWebhooks({
  publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
});

describe("signatures", () => {
  it.each(vectors)("of the example in RFC 8032 are valid (%#)", (_seed, key, message, signature) => {
    const raw = Buffer.from(message, "hex");
    const base64 = Buffer.from(signature, "hex").toString("base64");
    const known = createGoHighLevelWebhooks({ publicKey: spki(key) });
    expect(known.isSigned(raw, base64)).toBe(true);
    expect(known.isSigned(Buffer.concat([raw, Buffer.from(" ")]), base64)).toBe(false);
    expect(webhooks.isSigned(raw, base64)).toBe(false);
  });

  it("are valid for the exact bytes of the body only", () => {
    const raw = Buffer.from('{"type":"ContactCreate","name":"Inés"}');
    const signature = sign(null, raw, privateKey).toString("base64");
    expect(webhooks.isSigned(raw, signature)).toBe(true);
    for (const forged of ["", "N/A", "x".repeat(5_000), signature.slice(4), `AAAA${signature.slice(4)}`])
      expect(webhooks.isSigned(raw, forged)).toBe(false);
    expect(webhooks.isSigned(Buffer.from(JSON.stringify(JSON.parse(String(raw)), null, 1)), signature)).toBe(
      false,
    );
  });

  it("verify with the vendor's published key and the sandbox's key, derived from its seed", async () => {
    const { readEnv } = await import("../../env.ts");
    const databaseUrl = "postgresql://localhost/portal";
    const real = readEnv({ DATABASE_URL: databaseUrl, GHL_PRIVATE_TOKEN: "pit-1", GHL_LOCATION_ID: "loc" });
    expect(real.providers.goHighLevel?.webhookKey).toBe(
      "MCowBQYDK2VwAyEAi2HR1srL4o18O8BRa7gVJY7G7bupbN3H9AwJrHCDiOg=",
    );
    const demo = readEnv({ DATABASE_URL: databaseUrl }).providers.goHighLevel?.webhookKey ?? "";
    const seed = createHash("sha256").update("sandbox GoHighLevel webhooks").digest();
    const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
    const message = Buffer.from("x");
    const signature = sign(null, message, createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
    expect(verify(null, message, readPublicKey(demo), signature)).toBe(true);
    expect(() => readEnv({ DATABASE_URL: databaseUrl, GHL_WEBHOOK_PUBLIC_KEY: "MCow" })).toThrow(
      "GHL_WEBHOOK_PUBLIC_KEY must be an Ed25519 public key",
    );
  });
});

describe("events", () => {
  it("are identified by the sender's id, or by a hash of their content", () => {
    const raw = Buffer.from("{}");
    const payload = { type: "ContactCreate", webhookId: "wh-1", timestamp: "2025-11-20T10:00:01.000Z" };
    expect(webhooks.identify(payload, raw)).toEqual({
      key: "wh-1",
      type: "ContactCreate",
      sentAt: new Date("2025-11-20T10:00:01.000Z"),
    });
    expect(webhooks.identify({ type: 7 }, raw)).toMatchObject({
      key: `content:${createHash("sha256").update(raw).digest("hex")}`,
      type: "",
      sentAt: null,
    });
  });

  it("do not allow a channel that they do not mention", () => {
    const event = { type: "ContactUpdate", locationId, id: "ct_1", firstName: "Ana", dnd: false };
    expect(webhooks.read(event, locationId)).toMatchObject({
      contact: { callsBlocked: null, textsBlocked: null },
    });
    expect(webhooks.read({ ...event, dnd: true }, locationId)).toMatchObject({
      contact: { callsBlocked: true, textsBlocked: true },
    });
    const dndSettings = { SMS: { status: "active" } };
    expect(webhooks.read({ ...event, type: "ContactDndUpdate", dndSettings }, locationId)).toMatchObject({
      contact: { callsBlocked: false, textsBlocked: true },
    });
  });

  it("of other locations, unknown types and invalid content are ignored with the reason", () => {
    expect(webhooks.read({ type: "ContactCreate", locationId: "other", id: "ct_1" }, locationId)).toEqual({
      kind: "other",
      reason: "another location",
    });
    expect(webhooks.read({ type: "TaskCreate" }, locationId)).toEqual({
      kind: "other",
      reason: "unknown type",
    });
    expect(webhooks.read({ type: "ContactDelete", id: { no: 1 } }, locationId)).toMatchObject({
      kind: "other",
    });
    expect(webhooks.read({ type: "ContactUpdate", id: "ct_1", email: ["no"] }, locationId)).toMatchObject({
      kind: "contact",
      contact: { reason: "has an email address that is no text" },
    });
  });

  it("distinguish a call of the agent from a person's call and a voicemail", () => {
    const call = {
      type: "OutboundMessage",
      locationId,
      contactId: "ct_1",
      messageId: "ms_1",
      messageType: "CALL",
      dateAdded: "2024-05-08T11:57:42.250Z",
      status: "completed",
      callStatus: "completed",
      callDuration: 120,
    };
    expect(webhooks.read(call, locationId)).toMatchObject({
      kind: "call",
      call: { byAgent: true, messageId: "ms_1" },
    });
    expect(webhooks.read({ ...call, userId: "u1" }, locationId)).toMatchObject({ call: { byAgent: false } });
    expect(webhooks.read({ ...call, callStatus: undefined, status: "voicemail" }, locationId)).toMatchObject({
      kind: "other",
    });
    expect(webhooks.read({ ...call, messageType: "SMS" }, locationId)).toMatchObject({ kind: "other" });
  });
});

const described = path.join(
  import.meta.dirname,
  "../../../../../../shared/providers/ghl/webhook-events.json",
);

/** The vendor's own examples, if available. */
describe.skipIf(!existsSync(described))("the vendor's examples", () => {
  it("are all parsed without an error", () => {
    const { events } = JSON.parse(readFileSync(described, "utf8")) as {
      events: Record<string, { examples: { value: Record<string, unknown> }[] }>;
    };
    const kinds = new Map<string, Set<string>>();
    for (const [type, { examples }] of Object.entries(events))
      for (const { value } of examples) {
        const event = webhooks.read({ ...value, type, locationId }, locationId);
        kinds.set(type, (kinds.get(type) ?? new Set()).add(event.kind));
      }
    for (const type of ["ContactCreate", "ContactUpdate", "ContactDndUpdate", "ContactTagUpdate"])
      expect(kinds.get(type)).toEqual(new Set(["contact"]));
    expect(kinds.get("ContactDelete")).toEqual(new Set(["contact-deleted"]));
    for (const type of ["NoteCreate", "NoteUpdate", "NoteDelete"])
      expect(kinds.get(type)).toEqual(new Set(["note"]));
    expect(kinds.get("OutboundMessage")).toContain("other");
    expect([...kinds.values()].every((each) => each.size > 0)).toBe(true);
  });
});
