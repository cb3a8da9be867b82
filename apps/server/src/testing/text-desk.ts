import { randomUUID } from "node:crypto";
import type { Message } from "@portal/contract/entities/message";
import { eventually, openCallDesk } from "./call-desk.ts";
import type { Client } from "./test-app.ts";

let sids = 0;

/** A sid that the provider could have given. */
export function newTextSid(): string {
  sids += 1;
  return `SM${sids.toString(16).padStart(32, "0")}`;
}

/** The desk of the call tests with short ways to what tests of texts do. */
export async function openTextDesk(options: Parameters<typeof openCallDesk>[0] = {}) {
  const desk = await openCallDesk(options);
  const texts = {
    ...desk,
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
      const answer = await desk.sandbox.control("GET", `/texts?number=${encodeURIComponent(number ?? "")}`);
      return answer.texts.filter(({ direction }: { direction: string }) => direction === "outbound-api");
    },
    /** A text from a number, as the provider tells of it; worked when this answers. */
    async receive(from: string | null, body: string, more: Record<string, string> = {}) {
      const params = {
        MessageSid: newTextSid(),
        From: from ?? "",
        To: "+15005550006",
        Body: body,
        NumMedia: "0",
        SmsStatus: "received",
        ...more,
      };
      const answer = await desk.webhook("/api/twilio/sms/inbound", params);
      if (answer.status === 200) await texts.untilWorked();
      return { ...answer, params };
    },
    status: (messageId: number, sid: string, status: string, more: Record<string, string> = {}) =>
      desk.webhook(`/api/twilio/sms/status?message=${messageId}`, {
        MessageSid: sid,
        MessageStatus: status,
        ...more,
      }),
    untilWorked: () => eventually("the events to be worked", async () => (await desk.openEvents()) === 0),
    async leadNow(id: number) {
      const { rows } = await desk.pool.query("select * from leads where id = $1", [id]);
      return rows[0];
    },
    async countTexts(): Promise<number> {
      const { rows } = await desk.pool.query("select count(*)::int as n from messages");
      return rows[0].n;
    },
  };
  return texts;
}

export type TextDesk = Awaited<ReturnType<typeof openTextDesk>>;
