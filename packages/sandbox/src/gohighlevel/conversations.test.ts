import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GHL_LOCATION_ID } from "../defaults.ts";
import { temporaryGhl } from "../testing/temporary-ghl.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const locationId = GHL_LOCATION_ID;
const CONVERSATIONS = { headers: { Version: "2021-04-15" } };

let ghl: Awaited<ReturnType<typeof temporaryGhl>>;

beforeAll(async () => {
  ghl = await temporaryGhl();
});
afterAll(() => ghl.close());
beforeEach(() => ghl.control("POST", "/reset"));

describe("calls of the AI agent", () => {
  interface Message {
    id: string;
    contactId: string;
    conversationId: string;
    source: string;
    userId?: string;
    meta: { callStatus: string; callDuration: string };
  }

  async function exported(): Promise<Message[]> {
    const all: Message[] = [];
    let cursor: string | undefined;
    do {
      const page = await ghl.client.conversations.exportMessagesByLocation(
        { locationId, channel: "Call", limit: 25, ...(cursor ? { cursor } : {}) },
        CONVERSATIONS,
      );
      all.push(...(page.messages as unknown as Message[]));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return all;
  }

  test("exist for a third of the leads and belong to no user", async () => {
    const calls = await exported();
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
    const agent = calls.filter((call) => !call.userId && call.meta.callStatus === "completed");
    expect(new Set(agent.map((call) => call.contactId)).size).toBe(42);
    expect(agent.every((call) => call.source === "workflow")).toBe(true);
    expect(calls.filter((call) => call.userId).every((call) => call.source === "app")).toBe(true);
  });

  test("are found through the lead's conversation in the nested shape", async () => {
    const [call] = await exported();
    const { conversations } = await ghl.client.conversations.searchConversation(
      { locationId, contactId: call?.contactId },
      CONVERSATIONS,
    );
    expect(conversations).toMatchObject([{ id: call?.conversationId }]);
    const listed = (await ghl.client.conversations.getMessages(
      { conversationId: call?.conversationId ?? "", type: "TYPE_CALL" },
      CONVERSATIONS,
    )) as unknown as { messages: { messages: { id: string; meta: object }[]; nextPage: boolean } };
    expect(listed.messages.nextPage).toBe(false);
    expect(listed.messages.messages.map((message) => message.id)).toContain(call?.id);
    expect(listed.messages.messages[0]?.meta).toMatchObject({ call: { status: expect.any(String) } });
  });

  test("have a recording that is a complete WAV file of its length, the same every time", async () => {
    const calls = await exported();
    const call = calls.find((one) => one.meta.callStatus === "completed");
    const load = async () =>
      Buffer.from(
        (await ghl.client.conversations.getMessageRecording(
          { locationId, messageId: call?.id ?? "" },
          { ...CONVERSATIONS, responseType: "arraybuffer" },
        )) as unknown as ArrayBuffer,
      );
    const wav = await load();
    expect(wav.toString("ascii", 0, 4) + wav.toString("ascii", 8, 16)).toBe("RIFFWAVEfmt ");
    expect([wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
      1, 1, 8_000, 16,
    ]);
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect((wav.length - 44) / 16_000).toBe(Number(call?.meta.callDuration));
    const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, (wav.length - 44) / 2);
    expect(Math.max(...samples.subarray(0, 80_000))).toBeGreaterThan(3_000);
    expect((await load()).equals(wav)).toBe(true);
  });

  test("have no recording when nobody answers", async () => {
    const missed = (await exported()).find((call) => call.meta.callStatus === "no-answer");
    await expect(
      ghl.client.conversations.getMessageRecording(
        { locationId, messageId: missed?.id ?? "" },
        CONVERSATIONS,
      ),
    ).rejects.toMatchObject({ statusCode: 404 });
  });
});
