import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askStorage } from "./media.ts";

let asked = 0;
let port = 0;
const server = createServer((_request, response) => {
  asked += 1;
  response.end("sound");
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const hosts = [
  "media.example.com",
  ".cdn.example.com",
  "localhost",
  "127.0.0.1",
  "10.1.2.3",
  "[::1]",
  "[::ffff:a00:1]",
];
const ask = (location: string | null, standIn = false) =>
  askStorage(location, {
    base: "https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1.mp3",
    rules: { hosts, standIn },
    range: null,
    signal: new AbortController().signal,
  });

describe("a redirect of a recording", () => {
  it.each([
    ["nowhere", null, "to no address"],
    ["an invalid URL", "https://", "to no address"],
    ["http", "http://media.example.com/x.mp3", "instead of https:"],
    ["a file URL", "file:///etc/passwd", "instead of https:"],
    [
      "an unlisted host",
      "https://example.org/x.mp3?signature=secret",
      "example.org, which TWILIO_RECORDING_HOSTS",
    ],
    ["the same host, which is not listed", "/x.mp3", "api.twilio.com, which TWILIO_RECORDING_HOSTS"],
    ["a host with only the same ending", "https://evilcdn.example.com/x.mp3", "evilcdn.example.com, which"],
    ["another port of a host listed with a port", "https://[::2]:444/x.mp3", "which TWILIO_RECORDING_HOSTS"],
    ["a URL with a password", "https://user:secret@media.example.com/x.mp3", "with a password"],
    ["localhost", "https://127.0.0.1/x.mp3", "private network"],
    ["localhost in another notation", "https://2130706433/x.mp3", "private network"],
    ["a private network", "https://10.1.2.3/x.mp3", "private network"],
    ["localhost by IPv6", "https://[::1]/x.mp3", "private network"],
    ["a private network by IPv6", "https://[::ffff:10.0.0.1]/x.mp3", "private network"],
    ["a name that resolves to localhost", "https://localhost/x.mp3", "private network"],
  ])("to %s is rejected with a reason that contains no secret", async (_what, location, reason) => {
    const refused = await ask(location).then(
      () => "answered",
      (error: Error) => error.message,
    );
    expect(refused).toContain(reason);
    expect(refused).not.toContain("secret");
  });

  it("to this machine is followed when the provider is a sandbox", async () => {
    await expect(ask(`http://127.0.0.1:${port}/x.mp3`)).rejects.toThrow("instead of https:");
    expect(asked).toBe(0);
    const answer = await ask(`http://127.0.0.1:${port}/x.mp3`, true);
    expect([answer.statusCode, asked]).toEqual([200, 1]);
    answer.destroy();
  });
});
