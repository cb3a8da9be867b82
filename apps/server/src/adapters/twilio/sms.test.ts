import { describe, expect, it } from "vitest";
import { providerSmsOf, toInboundSms, toSmsEvent } from "./sms.ts";

const sid = `SM${"4".repeat(32)}`;

describe("an SMS status callback", () => {
  it("is parsed with its error code", () => {
    // The callback as shown in the vendor's documentation.
    const params = { MessageSid: sid, SmsSid: sid, MessageStatus: "undelivered", ErrorCode: "30003" };
    const from = "+12025550102";
    expect(toSmsEvent(params)).toEqual({ sid, status: "undelivered", errorCode: 30003, from: null });
    expect(toSmsEvent({ ...params, From: from })?.from).toBe(from);
  });

  it.each([
    ["accepted", "queued"],
    ["scheduled", "queued"],
    ["read", "delivered"],
    ["canceled", "failed"],
    ["teleported", null],
  ])("maps %s to %s", (reported, status) => {
    expect(toSmsEvent({ MessageSid: sid, MessageStatus: reported })?.status).toBe(status);
  });

  it("is ignored without a valid sid", () => {
    expect(toSmsEvent({ MessageSid: "CA1", MessageStatus: "sent" })).toBeNull();
  });
});

describe("an inbound SMS", () => {
  it("is parsed with its media and other fields", () => {
    const params = { MessageSid: sid, From: "+17865550121", To: "+15005550006", Body: "", NumMedia: "2" };
    expect(toInboundSms(params)).toMatchObject({ from: "+17865550121", body: "", mediaCount: 2 });
  });

  it.each([
    ["STOP", "stop"],
    ["start", "start"],
    ["HELP", "help"],
    ["SOMETHING", null],
    ["", null],
  ])("maps OptOutType %j to %s", (OptOutType, optOut) => {
    const params = { MessageSid: sid, From: "+17865550121", Body: "ya no", OptOutType };
    expect(toInboundSms(params)?.optOut).toBe(optOut);
  });

  it("is ignored without a sender", () => {
    expect(toInboundSms({ MessageSid: sid, Body: "Hola" })).toBeNull();
  });
});

describe("a message resource of the REST API", () => {
  it("is parsed; its segments are known once it is sent", () => {
    const created = new Date("2026-01-01T12:00:00Z");
    const message = { sid, status: "queued", body: "Hola", numSegments: "0", errorCode: null };
    expect(providerSmsOf({ ...message, dateCreated: created })).toEqual({
      sid,
      status: "queued",
      body: "Hola",
      segments: null,
      errorCode: null,
      createdAt: created,
      from: null,
    });
  });

  it("is rejected without a sid", () => {
    expect(() => providerSmsOf({ status: "queued" })).toThrow();
  });
});
