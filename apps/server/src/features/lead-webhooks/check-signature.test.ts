import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isBodySigned, isHubspotSigned, type SignedRequest } from "./check-signature.ts";

/** Test vectors computed as in the vendor's documentation. */
const secret = "hs-client-secret";
const sentAt = 1_763_632_800_000;
const v3 = "WeWSdkOjBaDMtyviEcUGKpfpi0jhHmK/nnvzgqgNSxg=";
const v2 = "5e2530dd157ece184bf775df03d6837d5c037e44c68a0d8cf68086055975c090";
const text = '[{"eventId":1,"subscriptionType":"contact.creation","objectId":123}]';

function request(headers: Record<string, string>, more: Partial<SignedRequest> = {}): SignedRequest {
  return {
    method: "POST",
    url: "https://portal.example.com/api/webhook/hubspot",
    body: Buffer.from(text),
    header: (name) => headers[name],
    ...more,
  };
}

const signedV3 = (more: Partial<SignedRequest> = {}, timestamp = String(sentAt)) =>
  request({ "x-hubspot-signature-v3": v3, "x-hubspot-request-timestamp": timestamp }, more);

describe("HubSpot's signature", () => {
  it("is accepted as v3 within 5 minutes of its timestamp, either way", () => {
    expect(isHubspotSigned(signedV3(), secret, sentAt)).toBe(true);
    expect(isHubspotSigned(signedV3(), secret, sentAt + 300_000)).toBe(true);
    expect(isHubspotSigned(signedV3(), secret, sentAt + 300_001)).toBe(false);
    expect(isHubspotSigned(signedV3(), secret, sentAt - 300_001)).toBe(false);
  });

  it("is rejected for another body, address, timestamp or secret", () => {
    expect(isHubspotSigned(signedV3({ body: Buffer.from(`${text} `) }), secret, sentAt)).toBe(false);
    expect(isHubspotSigned(signedV3({ url: "https://portal.example.com/" }), secret, sentAt)).toBe(false);
    expect(isHubspotSigned(signedV3({}, String(sentAt + 1)), secret, sentAt)).toBe(false);
    expect(isHubspotSigned(signedV3({}, "1e12"), secret, sentAt)).toBe(false);
    expect(isHubspotSigned(signedV3(), "another-secret", sentAt)).toBe(false);
  });

  it("covers the listed characters of the URL decoded", () => {
    const url = "https://portal.example.com/api/webhook/hubspot?to=a%40b%2Fc&x=%20";
    const plain = "https://portal.example.com/api/webhook/hubspot?to=a@b/c&x=%20";
    const signature = createHmac("sha256", secret).update(`POST${plain}${text}${sentAt}`).digest("base64");
    const headers = { "x-hubspot-signature-v3": signature, "x-hubspot-request-timestamp": String(sentAt) };
    expect(isHubspotSigned(request(headers, { url }), secret, sentAt)).toBe(true);
  });

  it("is accepted as v2 without v3, and never with an invalid v3", () => {
    const older = { "x-hubspot-signature": v2, "x-hubspot-signature-version": "v2" };
    expect(isHubspotSigned(request(older), secret, sentAt)).toBe(true);
    const both = {
      ...older,
      "x-hubspot-signature-v3": "AAAA",
      "x-hubspot-request-timestamp": String(sentAt),
    };
    expect(isHubspotSigned(request(both), secret, sentAt)).toBe(false);
    expect(isHubspotSigned(request({ "x-hubspot-signature": v2 }), secret, sentAt)).toBe(false);
  });
});

describe("a plain signature", () => {
  it("is accepted in hexadecimal, base64 and with its prefix, for each of the keys", () => {
    const digest = createHmac("sha256", "new").update(text).digest();
    for (const value of [
      digest.toString("hex"),
      digest.toString("base64"),
      `sha256=${digest.toString("hex").toUpperCase()}`,
    ])
      expect(isBodySigned(request({ "x-webhook-signature": value }), ["old", "new"])).toBe(true);
    expect(isBodySigned(request({ "x-webhook-signature": digest.toString("hex") }), ["old"])).toBe(false);
    expect(isBodySigned(request({ "x-webhook-signature": "" }), ["new"])).toBe(false);
    expect(isBodySigned(request({}), ["new"])).toBe(false);
  });
});
