import { describe, expect, it } from "vitest";
import { providerSmsOf, toInboundSms, toSmsEvent } from "./transform-sms.ts";

const sid = `SM${"4".repeat(32)}`;

describe("a status callback", () => {
  it("is read with its code", () => {
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
  ])("says %s as %s", (reported, status) => {
    expect(toSmsEvent({ MessageSid: sid, MessageStatus: reported })?.status).toBe(status);
  });

  it("is nothing without a valid sid", () => {
    expect(toSmsEvent({ MessageSid: "CA1", MessageStatus: "sent" })).toBeNull();
  });
});

describe("an inbound text", () => {
  it("is read with what came with it", () => {
    const params = { MessageSid: sid, From: "+17865550121", To: "+15005550006", Body: "", NumMedia: "2" };
    expect(toInboundSms(params)).toMatchObject({ from: "+17865550121", body: "", mediaCount: 2 });
  });

  it.each([
    ["STOP", "stop"],
    ["start", "start"],
    ["HELP", "help"],
    ["SOMETHING", null],
    ["", null],
  ])("of OptOutType %j was taken for %s", (OptOutType, optOut) => {
    const params = { MessageSid: sid, From: "+17865550121", Body: "ya no", OptOutType };
    expect(toInboundSms(params)?.optOut).toBe(optOut);
  });

  it("is nothing without a sender", () => {
    expect(toInboundSms({ MessageSid: sid, Body: "Hola" })).toBeNull();
  });
});

describe("a message of the REST API", () => {
  it("is read; segments are known once it is sent", () => {
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

  it("is refused without a sid, as half an answer is", () => {
    expect(() => providerSmsOf({ status: "queued" })).toThrow();
  });
});
