import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SmsStatus } from "../../ports/sms.ts";
import { type MessageFacts, mergeMessage } from "./update-message.ts";

const sid = `SM${"1".repeat(32)}`;
const requested: MessageFacts = { status: "requested", errorCode: null, sid: null };
const report = (status: SmsStatus, errorCode: number | null = null) => ({ sid, status, errorCode });
const after = (events: ReturnType<typeof report>[], from = requested) =>
  events.reduce<MessageFacts>(mergeMessage, from);

const statuses: SmsStatus[] = ["queued", "sending", "sent", "delivered", "undelivered", "failed"];
const anyReport = fc
  .tuple(fc.constantFrom(...statuses), fc.constantFrom(null, 30003, 30007, 21610))
  .map(([status, code]) => report(status, code));

describe("the SMS state machine", () => {
  it("ends in the same state whatever the order and repetition of the events", () => {
    const scenario = fc.array(anyReport, { minLength: 1, maxLength: 8 }).chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray([...events, ...events], {
          minLength: events.length * 2,
          maxLength: events.length * 2,
        }),
      ),
    );
    fc.assert(
      fc.property(scenario, ([events, shuffled]) => {
        expect(after(shuffled)).toEqual(after(events));
      }),
    );
  });

  it("never moves back to an earlier state", () => {
    const ranks = ["requested", ...statuses.slice(0, 3), "failed", "undelivered", "delivered"];
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 10 }), anyReport, (events, next) => {
        const before = after(events);
        expect(ranks.indexOf(mergeMessage(before, next).status)).toBeGreaterThanOrEqual(
          ranks.indexOf(before.status),
        );
      }),
    );
  });

  it("keeps the code of a failure, and none of an SMS that was delivered after all", () => {
    expect(after([report("sent"), report("undelivered", 30003)])).toMatchObject({ errorCode: 30003 });
    expect(after([report("undelivered", 30003), report("delivered")])).toMatchObject({
      status: "delivered",
      errorCode: null,
    });
    expect(after([report("delivered", 30003)])).toMatchObject({ errorCode: null });
  });

  it("accepts the provider's report after the SMS was given up", () => {
    const givenUp: MessageFacts = { status: "failed", errorCode: null, sid: null };
    expect(after([report("sent")], givenUp)).toEqual({ status: "sent", errorCode: null, sid });
  });

  it("ignores an unknown status", () => {
    expect(mergeMessage(after([report("sent")]), { sid, status: null, errorCode: null }).status).toBe("sent");
  });
});
