import type { VoicemailMessage } from "@portal/contract/routes/voicemail-messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mp3Of, wavOf } from "../../../testing/sounds.ts";
import { buildTestApp, type Client, type TestApp } from "../../../testing/test-app.ts";

let portal: TestApp;
let rep: Client;
let other: Client;
let admin: Client;
beforeAll(async () => {
  portal = await buildTestApp({ listen: true });
  rep = await portal.signIn({});
  other = await portal.signIn({});
  admin = await portal.signIn({ role: "admin" });
});
afterAll(() => portal.close());

const path = "/api/voicemail-messages";

async function upload(
  client: Client,
  file: Buffer,
  named: { name?: string; language?: string; type?: string },
) {
  const { name = "Hello", language = "en", type = "audio/wav" } = named;
  const response = await fetch(`${portal.url}${path}?${new URLSearchParams({ name, language })}`, {
    method: "POST",
    headers: { cookie: client.cookie, "content-type": type },
    body: new Uint8Array(file),
  });
  return { status: response.status, body: (await response.json()) as VoicemailMessage };
}

const messages = async (client: Client) => (await client.get(path)).body.messages;

async function tokenOf(id: number): Promise<string> {
  const { rows } = await portal.deps.database.pool.query(
    "select token from voicemail_messages where id = $1",
    [id],
  );
  return rows[0].token;
}

describe("a consultant's recorded messages", () => {
  it("can be uploaded as WAV and MP3, and the first of a language is its default", async () => {
    const wav = await upload(rep, wavOf(3), { name: "  Hello\n there " });
    expect(wav).toMatchObject({
      status: 200,
      body: { name: "Hello there", language: "en", format: "wav", seconds: 3, isDefault: true },
    });
    const mp3 = await upload(rep, mp3Of(9), { name: "Second", type: "audio/mpeg" });
    expect(mp3.body).toMatchObject({ format: "mp3", seconds: 9, isDefault: false });
    const spanish = await upload(rep, wavOf(2), {
      name: "Hola",
      language: "es",
      type: "application/octet-stream",
    });
    expect(spanish.body).toMatchObject({ language: "es", isDefault: true });

    expect((await rep.patch(`${path}/${mp3.body.id}`, { isDefault: true, name: "New" })).body).toMatchObject({
      isDefault: true,
      name: "New",
    });
    expect((await messages(rep)).map(({ name, isDefault }: never) => [name, isDefault])).toEqual([
      ["Hello there", false],
      ["New", true],
      ["Hola", true],
    ]);
    expect((await rep.delete(`${path}/${mp3.body.id}`)).status).toBe(200);
    expect((await messages(rep)).map(({ name, isDefault }: never) => [name, isDefault])).toEqual([
      ["Hello there", true],
      ["Hola", true],
    ]);
  });

  it.each<[string, Buffer]>([
    ["an empty file", Buffer.alloc(0)],
    ["an HTML page", Buffer.from("<html><script>alert(1)</script></html>")],
    ["an HTML page after an ID3 tag", Buffer.from("ID3<html><script>alert(1)</script></html>")],
    ["a WAV that declares more than it contains", wavOf(2, 50)],
    ["a WAV without samples", wavOf(2).subarray(0, 36)],
    ["a WAV that is too long", wavOf(61)],
    ["an MP3 that is too long", mp3Of(62)],
    ["a sound that is too short", wavOf(0)],
    ["random bytes after a frame header", Buffer.concat([Buffer.from([0xff, 0xfb]), Buffer.alloc(4_000, 7)])],
  ])("are rejected: %s", async (_what, file) => {
    const before = await messages(rep);
    expect(await upload(rep, file, { type: "audio/mpeg" })).toMatchObject({
      status: 400,
      body: { code: "sound_invalid" },
    });
    expect(await messages(rep)).toEqual(before);
  });

  it("are limited to 5 MB, and require a name and a language", async () => {
    expect((await upload(rep, Buffer.alloc(5 * 1024 * 1024 + 1), {})).status).toBe(413);
    expect((await upload(rep, wavOf(2), { name: "  " })).status).toBe(400);
    expect((await upload(rep, wavOf(2), { language: "fr" })).status).toBe(400);
  });

  it("are inaccessible to others", async () => {
    const { body: message } = await upload(rep, wavOf(2), {});
    expect(await messages(other)).toEqual([]);
    for (const client of [other, admin]) {
      expect((await client.get(`${path}/${message.id}/sound`)).status).toBe(404);
      expect((await client.patch(`${path}/${message.id}`, { name: "Mine" })).status).toBe(404);
      expect((await client.delete(`${path}/${message.id}`)).status).toBe(404);
    }
    const own = await fetch(`${portal.url}${path}/${message.id}/sound`, {
      headers: { cookie: rep.cookie, range: "bytes=0-3" },
    });
    expect([own.status, own.headers.get("content-type"), await own.text()]).toEqual([
      206,
      "audio/wav",
      "RIFF",
    ]);
  });

  it("are served to the provider under a secret URL", async () => {
    const { body: message } = await upload(rep, wavOf(2), {});
    const token = await tokenOf(message.id);
    const played = await fetch(`${portal.url}/api/voicemail-sound?token=${token}`);
    expect([played.status, played.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    expect(Buffer.from(await played.arrayBuffer()).equals(wavOf(2))).toBe(true);
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const guess of [message.id, `${token.slice(0, -1)}!`, token.slice(1), "%25"])
      expect((await fetch(`${portal.url}/api/voicemail-sound?token=${guess}`)).status).toBe(404);
    expect((await fetch(`${portal.url}/api/voicemail-sound?token=%00`)).status).toBe(400);
    await rep.delete(`${path}/${message.id}`);
    expect((await fetch(`${portal.url}/api/voicemail-sound?token=${token}`)).status).toBe(404);
  });

  it("can be left once an administrator enables it, which is audited", async () => {
    expect((await rep.get(path)).body.isOn).toBe(false);
    expect((await rep.patch("/api/organisation-settings", { voicemailDrop: true })).status).toBe(403);
    await admin.patch("/api/organisation-settings", { voicemailDrop: true });
    expect((await rep.get(path)).body.isOn).toBe(true);
    const { rows } = await portal.deps.database.pool.query(
      "select data from audit_log where action = 'organisation-changed'",
    );
    expect(rows).toEqual([{ data: { changes: { voicemailDrop: { before: false, after: true } } } }]);
    await admin.patch("/api/organisation-settings", { machineDetection: false });
    expect((await rep.get(path)).body.isOn).toBe(false);
  });
});
