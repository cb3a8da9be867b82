import { expect, fillSignIn, people, scriptBytes, test } from "./fixtures.ts";

test.use({ spec: "sign-in", singleSignOn: true });

test("a visitor sees the login screen at any address, and a deep link is opened after the sign-in", async ({
  page,
  signInByForm,
}) => {
  await page.goto("/reports");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expect(
    page.getByText("Contact your administrator if you need access or have forgotten your credentials."),
  ).toBeVisible();
  await signInByForm("ana", "/call-history");
  await expect(page.getByRole("heading", { name: "Call History", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/call-history$/);
});

test("the password can be revealed, and both fields are required with the recorded text", async ({
  page,
}) => {
  const password = page.getByLabel("Password", { exact: true });
  await page.goto("/");
  const bytes = await scriptBytes(page, async () => {
    await page.reload();
    await expect(password).toBeVisible();
  });
  // The goal for the first JavaScript of the sign-in, with gzip.
  expect(bytes).toBeLessThanOrEqual(150_000);
  await password.fill("secret-words");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Please enter both email and password").first()).toBeVisible();
});

test("a wrong password is refused with the recorded text", async ({ page, consoleWatch }) => {
  consoleWatch.allow(/401/);
  await page.goto("/");
  await fillSignIn(page, people.luis.email, "wrong");
  await expect(page.getByText("Login Failed").first()).toBeVisible();
  await expect(page.getByText("Invalid email or password").first()).toBeVisible();
});

test("signing out ends the session on the server and clears the two entries", async ({
  page,
  signInByForm,
}) => {
  await signInByForm("ana");
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).length)).toBeGreaterThan(1);
  const cookies = await page.context().cookies();
  await page.getByRole("button", { name: /account menu/ }).click();
  await expect(page.getByText(people.ana.email)).toBeVisible();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain("ana@");
  await page.context().addCookies(cookies);
  expect((await page.request.get("/api/current-user")).status()).toBe(401);
});

test("a login provider signs in and out, and its invalid response is explained", async ({ page, portal }) => {
  await portal.control("POST", "/login/tokens", { fault: "nonce" });
  const atProvider = page.getByRole("heading", { name: "Who are you?" });
  for (const isWrong of [true, false]) {
    await page.goto("/calendar");
    await page.getByRole("link", { name: "Sign in with Sandbox Login" }).click();
    // The provider remembers the person it asked once.
    if (isWrong) await page.getByRole("button", { name: /Sofía Rivas/ }).click();
    if (isWrong) await expect(page.getByRole("alert")).toContainText("Try again.");
  }
  await expect(page.getByRole("heading", { name: "Calendar", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: /account menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in with Sandbox Login" }).click();
  await expect(atProvider).toBeVisible();
});

test("an administrator opens the panel after sign-in and signs out by Salir with its toast", async ({
  page,
  signInByForm,
}) => {
  await signInByForm("admin");
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Salir" }).click();
  await expect(page.getByText("Sesión Cerrada").first()).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/login$/);
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
});

test("the panel shows all users, updates during a call, and closes when the session has ended", async ({
  page,
  signIn,
  portal,
  consoleWatch,
  playwright,
}) => {
  const phone = "+12125550122";
  const [lead] = await portal.query<{ id: number }>(
    `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search)
     select 'Rosa Panel', $1, $1, id, now(), 'rosa panel' from users where email = $2 returning id`,
    [phone, people.ana.email],
  );
  await portal.control("POST", "/phones", { number: phone, mode: "manual" });
  await signIn("admin", "/admin");
  await expect(page.getByRole("tabpanel", { name: "Monitoreo" })).toContainText("Tasa de conversión");
  await expect(page.getByRole("row")).toHaveCount(1 + Object.keys(people).length);
  const columns = async () =>
    (await page.getByRole("columnheader").allInnerTexts()).map((text) => text.trim().toLowerCase());
  await expect
    .poll(columns)
    .toEqual(
      expect.arrayContaining(["usuario", "estado", "prospectos", "llamadas", "sms", "última actividad"]),
    );
  const row = page.getByRole("row", { name: /ana@portal\.test/ });
  await expect(row).toContainText(/Desconectado|Libre/);

  // A consultant's browser elsewhere.
  const consultant = await playwright.request.newContext({ baseURL: portal.url });
  expect((await consultant.post("/api/login/local", { data: people.ana })).status()).toBe(200);
  const data = { to: phone, leadId: lead?.id };
  expect((await consultant.post("/api/make-call", { data })).status()).toBe(200);
  await expect(row).toContainText("Timbrando");
  await expect(row).toContainText("Rosa Panel");
  const phoneDoes = (act: string) =>
    expect(() => portal.control("POST", `/calls/${encodeURIComponent(phone)}/${act}`)).toPass();
  await phoneDoes("answer");
  await expect(row).toContainText("En llamada");
  await phoneDoes("hangup");
  await expect(row).toContainText("Cierre");
  await consultant.dispose();

  // The page is not notified of this: it finds out when its window gets the focus again.
  consoleWatch.allow(/401/);
  await portal.query("delete from sessions where user_id = (select id from users where email = $1)", [
    people.admin.email,
  ]);
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
});

test("a consultant is redirected away from the panel", async ({ page, signIn, consoleWatch }) => {
  consoleWatch.allow(/403/);
  await signIn("luis");
  await page.goto("/admin");
  await expect(page).not.toHaveURL(/admin/);
  await expect(page.getByRole("heading", { name: "My Assigned Leads" })).toBeVisible();
});
