import { expect, fillSignIn, people, test } from "./fixtures.ts";

test.use({ spec: "sign-in" });

test("a visitor sees the login screen at any address, and a deep link survives the sign-in", async ({
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

test("the password can be revealed, and both fields are asked for with the recorded text", async ({
  page,
}) => {
  await page.goto("/");
  const password = page.getByLabel("Password", { exact: true });
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
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("ana@");
  await page.context().addCookies(cookies);
  expect((await page.request.get("/api/current-user")).status()).toBe(401);
});

test("an administrator lands on the panel and leaves by Salir with its toast", async ({
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

test("a consultant is sent away from the panel", async ({ page, signIn, consoleWatch }) => {
  consoleWatch.allow(/403/);
  await signIn("luis");
  await page.goto("/admin");
  await expect(page).not.toHaveURL(/admin/);
  await expect(page.getByRole("heading", { name: "My Assigned Leads" })).toBeVisible();
});
