import { crc32, deflateSync } from "node:zlib";
import { limits } from "@portal/contract/limits";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildTestApp, type Client, type TestApp } from "../../../testing/test-app.ts";
import { createTestDatabase } from "../../../testing/test-database.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let app: TestApp;
/** Another process on the same database. */
let second: TestApp;
let ana: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  [app, second] = await Promise.all([
    buildTestApp({ databaseUrl: database.url }),
    buildTestApp({ databaseUrl: database.url }),
  ]);
  ana = await app.signIn();
});
afterAll(async () => {
  await Promise.all([app.close(), second.close()]);
  await database.drop();
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A grey PNG; `extra` is inserted as a chunk before the picture's data. */
function png(side: number, extra = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.writeUInt8(8, 8);
  const rows = Buffer.alloc(Math.min(side, 64) * (Math.min(side, 64) + 1));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    ...(extra.length > 0 ? [chunk("tEXt", extra)] : []),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const jpeg = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==",
  "base64",
);
const webp = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64");

const dataUrl = (content: Buffer, type = "image/png") => `data:${type};base64,${content.toString("base64")}`;
const setPhoto = (profileImage: string | null) => ana.patch("/api/profile", { profileImage });

describe("a user's picture", () => {
  it("is stored and served to signed-in users only, with a fixed media type, under its own address", async () => {
    const sent = png(64);
    const answer = await setPhoto(dataUrl(sent));
    expect(answer.status).toBe(200);
    const address: string = answer.body.profileImage;
    expect(address).toMatch(new RegExp(`^/api/users/${ana.user.id}/photo\\?v=[0-9a-f]{16}$`));
    expect((await app.request("GET", address)).status).toBe(401);

    const served = await second.app.inject({ url: address, headers: { cookie: ana.cookie } });
    expect(served.rawPayload.equals(sent)).toBe(true);
    expect(served.headers).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect((await ana.get(`/api/users/${ana.user.id}/photo`)).headers["cache-control"]).toBe(
      "private, no-cache",
    );

    // The type depends on the file's content, not on its name.
    const other = await setPhoto(dataUrl(jpeg, "image/png"));
    expect(other.body.profileImage).not.toBe(address);
    expect((await ana.get(other.body.profileImage)).headers["content-type"]).toBe("image/jpeg");
    const third = await setPhoto(dataUrl(webp, "text/html"));
    expect((await ana.get(third.body.profileImage)).headers["content-type"]).toBe("image/webp");

    expect((await setPhoto(null)).body.profileImage).toBeNull();
    expect((await ana.get(address)).status).toBe(404);
  });

  it.each<[string, string]>([
    [
      "SVG",
      dataUrl(
        Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
        "image/svg+xml",
      ),
    ],
    [
      "SVG declared as PNG",
      dataUrl(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${" ".repeat(64)}</svg>`)),
    ],
    ["HTML", dataUrl(Buffer.from(`<!doctype html><body onload=alert(1)>${" ".repeat(64)}`), "image/jpeg")],
    [
      "HTML that starts like a GIF",
      dataUrl(Buffer.from(`GIF89a=1;//<script>alert(1)</script>${" ".repeat(64)}`), "image/gif"),
    ],
    ["PNG followed by HTML", dataUrl(Buffer.concat([png(8), Buffer.from("<b>hello</b>")]))],
    ["PNG with a script in its text", dataUrl(png(8, Buffer.from("Comment\0<ScRiPt>alert(1)</script>")))],
    ["PNG with a wrong checksum", dataUrl(Buffer.concat([png(8).subarray(0, -20), Buffer.alloc(20)]))],
    ["PNG that unpacks to a billion pixels", dataUrl(png(32_000))],
    ["PNG after a program", dataUrl(Buffer.concat([Buffer.from("MZ"), png(8)]))],
    [
      "JPEG followed by an archive",
      dataUrl(Buffer.concat([jpeg, Buffer.from(`PK\x03\x04${"x".repeat(60)}`)])),
    ],
    ["truncated JPEG", dataUrl(jpeg.subarray(0, -2))],
    ["WebP with a wrong length", dataUrl(Buffer.concat([webp, Buffer.alloc(8)]))],
    ["PDF", dataUrl(Buffer.from(`%PDF-1.7\n${"x".repeat(64)}`), "application/pdf")],
    ["a URL", "https://example.com/photo.png"],
    ["a script URL", "javascript:alert(1)"],
    ["nothing", ""],
    ["a picture that is too large", dataUrl(png(8, Buffer.alloc(limits.photoMaxBytes, 120)))],
  ])("is rejected: %s", async (_what, profileImage) => {
    expect(await setPhoto(profileImage)).toMatchObject({ status: 400, body: { code: "image_invalid" } });
    expect((await ana.get("/api/current-user")).body.profileImage).toBeNull();
  });
});

describe("settings", () => {
  it("save only the fields of each kind that are sent", async () => {
    expect((await app.request("GET", "/api/settings")).status).toBe(401);
    expect((await ana.get("/api/settings")).body).toEqual({
      notifications: { email: false, sms: true, calls: true, meetings: true, pushNames: false },
      calls: { callRecording: true, voicemailTranscription: true, autoDial: true, pressOne: true },
      mail: false,
      signIn: { password: true, provider: null },
    });
    const calls = await ana.patch("/api/call-settings", { callRecording: false, pressOne: false });
    expect(calls.body).toEqual({
      callRecording: false,
      voicemailTranscription: true,
      autoDial: true,
      pressOne: false,
    });
    expect((await ana.get("/api/current-user")).body).toMatchObject({ pressOne: false, singleKeys: true });
    expect((await ana.patch("/api/interface-settings", { singleKeys: false })).body.singleKeys).toBe(false);
    expect((await ana.get("/api/current-user")).body.singleKeys).toBe(false);
    expect((await ana.patch("/api/interface-settings", { singleKeys: "no" })).status).toBe(400);
    await ana.patch("/api/notification-settings", { email: true, meetings: false });
    const kept = (await ana.get("/api/settings")).body;
    expect(kept.calls).toEqual(calls.body);
    expect(kept.notifications).toEqual({
      email: true,
      sms: true,
      calls: true,
      meetings: false,
      pushNames: false,
    });
    for (const [path, body] of [
      ["/api/call-settings", { callRecording: "no" }],
      ["/api/call-settings", { role: "admin" }],
      ["/api/notification-settings", { emailNotices: true }],
    ] as const)
      expect((await ana.patch(path, body)).status).toBe(400);
  });
});

describe("a user's sessions", () => {
  const signInAgain = async (on: TestApp, userAgent: string) => {
    const { email, password } = ana.user;
    const body = { email, password };
    const answer = await on.request("POST", "/api/login/local", {
      body,
      headers: { "user-agent": userAgent },
    });
    const cookie = String(answer.headers["set-cookie"]).split(";")[0] ?? "";
    return {
      cookie,
      status: async (at: TestApp) => (await at.request("GET", "/api/current-user", { cookie })).status,
    };
  };

  it("are listed with their location, and end at once in every process", async () => {
    const stranger = await app.signIn();
    const phone = await signInAgain(second, "Phone");
    expect([await phone.status(app), await phone.status(second)]).toEqual([200, 200]);
    const { body: listed } = await ana.get("/api/sessions");
    expect(listed).toHaveLength(2);
    expect(listed[0]).toMatchObject({ current: false, userAgent: "Phone", address: "127.0.0.1" });
    expect(listed[1]).toMatchObject({ current: true });

    const path = `/api/sessions/${listed[0].id}`;
    expect((await stranger.delete(path)).status).toBe(404);
    expect(await phone.status(app)).toBe(200);
    expect((await ana.delete(path)).status).toBe(200);
    expect(await phone.status(app)).toBe(401);
    await vi.waitFor(async () => expect(await phone.status(second)).toBe(401), 45_000);
    expect((await ana.delete(path)).status).toBe(404);
  });

  it("end on all other devices on request, and when the password changes: a stolen cookie stops working", async () => {
    const [tablet, stolen] = [await signInAgain(app, "Tablet"), await signInAgain(second, "Thief")];
    expect((await ana.delete("/api/sessions")).body.ended).toBe(2);
    expect(await tablet.status(app)).toBe(401);
    await vi.waitFor(async () => expect(await stolen.status(second)).toBe(401), 45_000);

    const again = await signInAgain(second, "Thief");
    expect([await again.status(app), await again.status(second)]).toEqual([200, 200]);
    const change = { currentPassword: ana.user.password, newPassword: "quite-another-one" };
    expect((await ana.patch("/api/change-password", change)).status).toBe(200);
    expect(await again.status(app)).toBe(401);
    await vi.waitFor(async () => expect(await again.status(second)).toBe(401), 45_000);
    expect((await ana.get("/api/current-user")).status).toBe(200);
    expect((await ana.get("/api/sessions")).body).toHaveLength(1);
  });
});
