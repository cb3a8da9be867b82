import { randomUUID } from "node:crypto";
import type { Message } from "@portal/contract/entities/message";
import { eventually, openCallHarness } from "./call-harness.ts";
import type { Client } from "./test-app.ts";

let sids = 0;

/** A sid that the provider could have given. */
export function newSmsSid(): string {
  sids += 1;
  return `SM${sids.toString(16).padStart(32, "0")}`;
}

/** The harness of the call tests with short ways to what tests of SMS do. */
export async function openSmsHarness(options: Parameters<typeof openCallHarness>[0] = {}) {
  const harness = await openCallHarness(options);
  const texts = {
    ...harness,
    send: (rep: Client, lead: { id: number }, message: string, clientRef: string | null = randomUUID()) =>
      rep.post(`/api/leads/${lead.id}/sms`, { message, ...(clientRef && { clientRef }) }),
    async thread(rep: Client, lead: { id: number }): Promise<Message[]> {
      return (await rep.get(`/api/leads/${lead.id}/sms`)).body;
    },
    untilStatus: (rep: Client, lead: { id: number }, status: Message["status"]) =>
      eventually(`a text to become ${status}`, async () =>
        (await texts.thread(rep, lead)).find((message) => message.status === status),
      ),
    /** Texts that reached the provider for a number. */
    async atProvider(number: string | null): Promise<{ sid: string; body: string; direction: string }[]> {
      const answer = await harness.sandbox.control(
        "GET",
        `/texts?number=${encodeURIComponent(number ?? "")}`,
      );
      return answer.texts.filter(({ direction }: { direction: string }) => direction === "outbound-api");
    },
    /** An SMS from a number, as the provider sends it; it is worked when this answers. */
    async receive(from: string | null, body: string, more: Record<string, string> = {}) {
      const params = {
        MessageSid: newSmsSid(),
        From: from ?? "",
        To: "+15005550006",
        Body: body,
        NumMedia: "0",
        SmsStatus: "received",
        ...more,
      };
      const answer = await harness.webhook("/api/twilio/sms/inbound", params);
      if (answer.status === 200) await texts.untilWorked();
      return { ...answer, params };
    },
    status: (messageId: number, sid: string, status: string, more: Record<string, string> = {}) =>
      harness.webhook(`/api/twilio/sms/status?message=${messageId}`, {
        MessageSid: sid,
        MessageStatus: status,
        ...more,
      }),
    untilWorked: () => eventually("the events to be worked", async () => (await harness.openEvents()) === 0),
    async leadNow(id: number) {
      const { rows } = await harness.pool.query("select * from leads where id = $1", [id]);
      return rows[0];
    },
    async countTexts(): Promise<number> {
      const { rows } = await harness.pool.query("select count(*)::int as n from messages");
      return rows[0].n;
    },
  };
  return texts;
}

export type SmsHarness = Awaited<ReturnType<typeof openSmsHarness>>;
