import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { GHL_CLIENT_ID, GHL_CLIENT_SECRET, GHL_LOCATION_ID } from "../defaults.ts";
import { temporaryGhl } from "../testing/temporary-ghl.ts";
import { describesGhl } from "../testing/vendor-schemas.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const redirectUri = "http://localhost:5000/api/crm/install/callback";

let ghl: Awaited<ReturnType<typeof temporaryGhl>>;

beforeAll(async () => {
  ghl = await temporaryGhl();
});
afterAll(() => ghl.close());
beforeEach(() => ghl.control("POST", "/reset"));

const install = async (body: object = {}): Promise<string> =>
  (await ghl.control("POST", "/ghl/app/install", { redirectUri, ...body })).code;

async function token(fields: Record<string, string>) {
  const response = await fetch(`${ghl.url}/ghl/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: GHL_CLIENT_ID, client_secret: GHL_CLIENT_SECRET, ...fields }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
const exchange = (code: string) => token({ grant_type: "authorization_code", code, user_type: "Location" });
const refresh = (text = "") => token({ grant_type: "refresh_token", refresh_token: text });
const withToken = (text = "") =>
  ghl.rest("GET", `/locations/${GHL_LOCATION_ID}`, undefined, { authorization: `Bearer ${text}` });

test("issues tokens as the vendor describes, and accepts each refresh token once", async () => {
  const code = await install();
  const first = await exchange(code);
  expect(describesGhl("oauth", "post", "/oauth/token", first)).toEqual([]);
  expect(first.body).toMatchObject({ userType: "Location", locationId: GHL_LOCATION_ID, expires_in: 86_399 });
  expect((await exchange(code)).status).toBe(400);
  const second = await refresh(first.body.refresh_token);
  expect(describesGhl("oauth", "post", "/oauth/token", second)).toEqual([]);
  expect(await refresh(first.body.refresh_token)).toMatchObject({
    status: 400,
    body: { error: "invalid_grant" },
  });
  expect((await withToken(second.body.access_token)).status).toBe(200);
});

test("rejects a wrong secret, unknown fields, a JSON body, and expired or revoked tokens", async () => {
  const code = await install();
  const wrong = { grant_type: "authorization_code", code };
  expect((await token({ ...wrong, client_secret: "no" })).status).toBe(401);
  expect((await token({ ...wrong, more: "1" })).status).toBe(422);
  const asJson = await fetch(`${ghl.url}/ghl/oauth/token`, {
    method: "POST",
    body: JSON.stringify(wrong),
    headers: { "content-type": "application/json" },
  });
  expect(asJson.status).toBe(422);
  const { body } = await exchange(code);
  await ghl.control("POST", "/ghl/app", { endAccess: true });
  expect((await withToken(body.access_token)).status).toBe(401);
  const fresh = await refresh(body.refresh_token);
  await ghl.control("POST", "/ghl/app/uninstall", {});
  expect((await withToken(fresh.body.access_token)).status).toBe(401);
  expect((await refresh(fresh.body.refresh_token)).status).toBe(400);
});

test("asks for a location, redirects back with the state, and rejects a redirect address that names the vendor", async () => {
  const query = {
    response_type: "code",
    client_id: GHL_CLIENT_ID,
    redirect_uri: redirectUri,
    scope: "contacts.readonly",
    state: "s1",
  };
  const page = (changes: object) =>
    fetch(
      `${ghl.url}/ghl-marketplace/v2/oauth/chooselocation?${new URLSearchParams({ ...query, ...changes })}`,
    );
  expect(await (await page({})).text()).toContain("Sandbox Sales");
  for (const changes of [
    { redirect_uri: "http://localhost:5000/api/ghl/callback" },
    { redirect_uri: "https://elsewhere.example.com/back" },
    { client_id: "another" },
    { response_type: "token" },
  ])
    expect((await page(changes)).status).toBe(400);
  const choose = async (location: string) => {
    const request = new URLSearchParams(query).toString();
    const answer = await fetch(`${ghl.url}/ghl-marketplace/install`, {
      method: "POST",
      body: new URLSearchParams({ request, location, decision: "install" }),
      redirect: "manual",
    });
    return new URL(String(answer.headers.get("location"))).searchParams;
  };
  const back = await choose(`${GHL_LOCATION_ID},loc0000000000000002`);
  expect(back.get("state")).toBe("s1");
  const { body } = await exchange(String(back.get("code")));
  expect(body).toMatchObject({ userType: "Company", isBulkInstallation: true });
  expect(body.locationId).toBeUndefined();
});
