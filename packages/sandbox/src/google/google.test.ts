import { CodeChallengeMethod } from "google-auth-library";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { googleClient } from "../testing/vendor-clients.ts";
import { describesGoogle } from "../testing/vendor-schemas.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const redirectUri = "http://localhost:5000/api/google/callback";
const calendarScope = "https://www.googleapis.com/auth/calendar.events";
const account = "eva@example.com";
const times = {
  start: { dateTime: "2027-03-14T09:00:00-04:00", timeZone: "America/New_York" },
  end: { dateTime: "2027-03-14T09:30:00-04:00", timeZone: "America/New_York" },
};

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let client: ReturnType<typeof googleClient>;

beforeAll(async () => {
  sandbox = await temporarySandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control("POST", "/reset");
  client = googleClient(sandbox.url, redirectUri);
});

async function consentAddress(verifier: { codeChallenge?: string }): Promise<string> {
  return client.auth.generateAuthUrl({
    access_type: "offline",
    prompt: "consent",
    scope: ["openid", "email", calendarScope],
    state: "the-state",
    login_hint: account,
    ...(verifier.codeChallenge && {
      code_challenge: verifier.codeChallenge,
      code_challenge_method: CodeChallengeMethod.S256,
    }),
  });
}

/** Opens the consent page and submits it; returns the redirect. */
async function answer(address: string, decision: string, scope = ["openid", "email", calendarScope]) {
  const page = await (await fetch(address)).text();
  expect(page).toContain(account);
  const form = new URLSearchParams({ request: new URL(address).search.slice(1), account, decision });
  for (const one of scope) form.append("scope", one);
  const consented = await fetch(`${sandbox.url}/google/consent`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  return new URL(String(consented.headers.get("location")));
}

async function connect(): Promise<void> {
  const { codeVerifier, codeChallenge } = await client.auth.generateCodeVerifierAsync();
  const back = await answer(await consentAddress({ codeChallenge: String(codeChallenge) }), "allow");
  const { tokens } = await client.auth.getToken({
    code: String(back.searchParams.get("code")),
    codeVerifier,
  });
  client.auth.setCredentials(tokens);
}

const insert = (requestBody: object = {}, options: object = {}) =>
  client.events.insert({
    calendarId: "primary",
    requestBody: { summary: "Call", ...times, ...requestBody },
    ...options,
  });
const list = (options: object = {}) => client.events.list({ calendarId: "primary", ...options });
interface Refusal {
  response: { status: number; data: { error: { errors?: { reason: string }[] } | string } };
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: Refusal) => {
      const { error: said } = error.response.data;
      return [error.response.status, typeof said === "string" ? said : said.errors?.[0]?.reason];
    },
  );

test("rejects requests while the API is disabled in its project, and for calendars of a closed domain", async () => {
  await connect();
  await sandbox.control("POST", "/google/api", { enabled: false });
  expect(await failure(list())).toEqual([403, "accessNotConfigured"]);
  expect(await failure(insert())).toEqual([403, "accessNotConfigured"]);
  await sandbox.control("POST", "/google/api", { enabled: true });
  await sandbox.control("POST", "/google/domain-policy", { domain: "example.com", closed: true });
  expect(await failure(list())).toEqual([403, "domainPolicy"]);
  await sandbox.control("POST", "/google/domain-policy", { domain: "example.com", closed: false });
  expect((await list()).data.items).toEqual([]);
});

describe("consent", () => {
  test("issues tokens to the official client, each code once and with its verifier only", async () => {
    const { codeVerifier, codeChallenge } = await client.auth.generateCodeVerifierAsync();
    const address = await consentAddress({ codeChallenge: String(codeChallenge) });
    const wrong = await answer(address, "allow");
    const code = String(wrong.searchParams.get("code"));
    expect(wrong.searchParams.get("state")).toBe("the-state");
    expect(await failure(client.auth.getToken({ code, codeVerifier: "wrong".repeat(10) }))).toEqual([
      400,
      "invalid_grant",
    ]);
    const right = String((await answer(address, "allow")).searchParams.get("code"));
    const { tokens } = await client.auth.getToken({ code: right, codeVerifier });
    expect(tokens).toMatchObject({ refresh_token: expect.any(String), id_token: expect.any(String) });
    expect(tokens.scope).toContain(calendarScope);
    expect(await failure(client.auth.getToken({ code: right, codeVerifier }))).toEqual([
      400,
      "invalid_grant",
    ]);
  });

  test("can be denied, and asks nothing for a foreign redirect address", async () => {
    const address = await consentAddress({});
    expect((await answer(address, "deny")).searchParams.get("error")).toBe("access_denied");
    const foreign = new URL(address);
    foreign.searchParams.set("redirect_uri", "https://evil.example.com/");
    const page = await fetch(foreign);
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining("redirect_uri_mismatch")]);
  });

  test("is refreshed by the client, until it is revoked", async () => {
    await connect();
    await sandbox.control("POST", "/google/expire", { what: "access" });
    expect((await list()).status).toBe(200);
    await sandbox.control("POST", "/google/revoke", { account });
    expect(await failure(list())).toEqual([400, "invalid_grant"]);
  });

  test("does not allow access to the calendar without its scope", async () => {
    const back = await answer(await consentAddress({}), "allow", ["openid", "email"]);
    const { tokens } = await client.auth.getToken({ code: String(back.searchParams.get("code")) });
    client.auth.setCredentials(tokens);
    expect(await failure(list())).toEqual([403, "insufficientPermissions"]);
    await client.auth.revokeToken(String(tokens.access_token));
    expect(await sandbox.control("GET", "/google/grants")).toEqual({ grants: [] });
  });
});

describe("events", () => {
  beforeEach(connect);

  test("are created as the vendor's description says, once for each id", async () => {
    const { data } = await insert({ id: "portal0000000042", attendees: [{ email: "ana@example.com" }] });
    expect(describesGoogle("Event", data)).toEqual([]);
    expect(await failure(insert({ id: "portal0000000042" }))).toEqual([409, "duplicate"]);
    expect(await failure(insert({ id: "Portal_42" }))).toEqual([400, "invalid"]);
    expect(await failure(insert({ attendees: [{ email: "ana" }] }))).toEqual([400, "invalid"]);
    expect(describesGoogle("Events", (await list()).data)).toEqual([]);
  });

  test("are updated only with their current etag, and deleted once", async () => {
    const { data } = await insert();
    const target = { calendarId: "primary", eventId: String(data.id) };
    const patch = (summary: string) =>
      client.events.patch(
        { ...target, requestBody: { summary } },
        { headers: { "If-Match": String(data.etag) } },
      );
    expect((await patch("Renamed")).data).toMatchObject({ summary: "Renamed", start: times.start });
    expect(await failure(patch("Again"))).toEqual([412, "conditionNotMet"]);
    expect((await client.events.delete(target)).status).toBe(204);
    expect(await failure(client.events.delete(target))).toEqual([410, "deleted"]);
    expect((await client.events.get(target)).data.status).toBe("cancelled");
  });

  test("get a Meet link at once or later, in conference version 1 only", async () => {
    const conferenceData = {
      createRequest: { requestId: "r-1", conferenceSolutionKey: { type: "hangoutsMeet" } },
    };
    expect((await insert({ conferenceData })).data.hangoutLink).toBeUndefined();
    const linked = await insert({ conferenceData }, { conferenceDataVersion: 1 });
    expect(linked.data.hangoutLink).toMatch(/^https:\/\/meet\.google\.com\//);
    expect(describesGoogle("Event", linked.data)).toEqual([]);
    await sandbox.control("POST", "/google/meet", { mode: "pending" });
    const { data } = await insert({ conferenceData }, { conferenceDataVersion: 1 });
    expect([data.hangoutLink, data.conferenceData?.createRequest?.status?.statusCode]).toEqual([
      undefined,
      "pending",
    ]);
    await sandbox.control("POST", "/google/meet", { mode: "success" });
    const { data: later } = await client.events.get({ calendarId: "primary", eventId: String(data.id) });
    expect(later.hangoutLink).toMatch(/^https:/);
  });

  test("are paged, then returned as changes by sync token until it expires", async () => {
    await sandbox.control("POST", "/google/generate", { account, count: 25 });
    const seen = new Set<string>();
    let pageToken: string | undefined;
    let syncToken: string | undefined;
    do {
      const { data } = await list({ maxResults: 10, singleEvents: true, ...(pageToken && { pageToken }) });
      for (const { id } of data.items ?? []) seen.add(String(id));
      pageToken = data.nextPageToken ?? undefined;
      syncToken = data.nextSyncToken ?? undefined;
      expect(Boolean(pageToken)).toBe(!syncToken);
    } while (pageToken);
    expect(seen.size).toBe(25);

    const [first] = seen;
    await sandbox.control("DELETE", `/google/events/${first}?account=${account}`);
    const { data } = await list({ syncToken });
    expect(data.items).toMatchObject([{ id: first, status: "cancelled" }]);
    expect(await failure(list({ syncToken, timeMin: new Date().toISOString() }))).toEqual([400, "invalid"]);
    await sandbox.control("POST", "/google/expire", { what: "sync" });
    expect(await failure(list({ syncToken }))).toEqual([410, "fullSyncRequired"]);
  });

  test("return single instances of a series on request", async () => {
    await insert({ recurrence: ["RRULE:FREQ=WEEKLY;COUNT=3"] });
    const { data } = await list({ singleEvents: true, orderBy: "startTime" });
    expect(data.items?.map(({ recurringEventId }) => recurringEventId)).toHaveLength(3);
    expect(describesGoogle("Events", data)).toEqual([]);
    expect((await list()).data.items).toHaveLength(1);
  });

  test("fail on demand with Google's own error bodies", async () => {
    const fail = (rule: object) => sandbox.control("POST", "/fail", { vendor: "google", ...rule });
    // The client refreshes its token and repeats the request once after a 403.
    await fail({ status: 403, match: "/events", count: 2 });
    expect(await failure(list())).toEqual([403, "rateLimitExceeded"]);
    await fail({ status: 500, match: "/events" });
    expect(await failure(list())).toEqual([500, "backendError"]);
  });
});
