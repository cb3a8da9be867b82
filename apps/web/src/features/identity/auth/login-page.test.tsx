import { adminLogin, getSignInOptions, login } from "@portal/contract/routes/auth";
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setLanguage } from "../../../lib/i18n.ts";
import { page } from "../../../lib/navigation.ts";
import { addItem } from "../../../lib/offline/queue-database.ts";
import { STORAGE_KEYS } from "../../../lib/storage-keys.ts";
import { buildUser } from "../../../testing/builders.ts";
import { renderApp } from "../../../testing/render.tsx";
import { refuse, replyTo, server } from "../../../testing/server.ts";
import { LoginPage } from "./login-page.tsx";
import { isAdminEmail } from "./queries.ts";

// SHA-256 of admin@portal.test
const ADMIN_HASH = "1f6bfebe5c0884842f85e3f49ac1ef8549dbb878d32834b7c9c9c7215c8f3ed8";

function renderLogin() {
  const rendered = renderApp(<LoginPage />, { currentUser: null });
  const fill = async (email: string, password: string) => {
    if (email) await rendered.user.type(screen.getByLabelText("Email"), email);
    if (password) await rendered.user.type(screen.getByLabelText("Password"), password);
    await rendered.user.click(screen.getByRole("button", { name: "Sign In" }));
  };
  return { ...rendered, fill };
}

beforeEach(() => {
  vi.spyOn(page, "reload").mockImplementation(() => undefined);
  vi.spyOn(page, "go").mockImplementation(() => undefined);
});

describe("the login screen", () => {
  it("shows the recorded fields, button and text", () => {
    renderLogin();
    const email = screen.getByLabelText<HTMLInputElement>("Email");
    expect(email.type).toBe("text");
    expect(email.required).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toBe("password");
    expect(
      screen.getByText("Contact your administrator if you need access or have forgotten your credentials."),
    ).toBeDefined();
    expect(document.title).toBe("Sign In · Lead Desk");
  });

  it("explains that the session ended during Google's consent", () => {
    expect(renderLogin().container.textContent).not.toContain("before Google answered");
    window.history.replaceState(null, "", "/calendar?google=signed-out");
    renderLogin();
    expect(screen.getByRole("status").textContent).toMatch(/Sign in, then connect Google Calendar again/);
    window.history.replaceState(null, "", "/");
  });

  it("shows that unsent changes of a user wait in this browser", async () => {
    const change = {
      leadId: 5,
      leadName: "Eva Ruiz",
      write: { kind: "note", text: "Calls at noon" },
    } as const;

    await addItem({
      ...change,
      saidAt: Date.now(),
      userId: buildUser().id,
      clientRef: "7b1b1f5c-9d0c-4a4e-8a3b-0d6f1d9a0003",
    });
    renderLogin();
    const status = await screen.findByRole("status");
    expect(status.textContent).toMatch(/^1 change made in this browser waits to be sent/);
    expect(status.textContent).not.toContain("Eva");
  });

  it("reveals and hides the password", async () => {
    const { user } = renderLogin();
    const password = screen.getByLabelText<HTMLInputElement>("Password");
    await user.type(password, "secret");
    await user.click(screen.getByRole("button", { name: "Show password" }));
    expect(password.type).toBe("text");
    expect(password.value).toBe("secret");
    await user.click(screen.getByRole("button", { name: "Hide password" }));
    expect(password.type).toBe("password");
  });

  it.each([
    { email: "", password: "" },
    { email: "ana@portal.test", password: "" },
    { email: "   ", password: "secret" },
  ])("requires both fields, without a request, for '$email' and '$password'", async ({ email, password }) => {
    const { fill } = renderLogin();
    await fill(email, password);
    expect(await screen.findByText("Error")).toBeDefined();
    expect(screen.getByText("Please enter both email and password")).toBeDefined();
  });

  it("signs a consultant in, shows that it is pending and reloads a second later", async () => {
    let body: unknown;
    server.use(
      replyTo(login, (context) => {
        body = context.body;
        return { message: "ok", user: buildUser() };
      }),
    );
    const { fill } = renderLogin();
    await fill(" ana@portal.test ", "portal-demo");
    const button = await screen.findByRole("button", { name: "Signing In..." });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(body).toEqual({ email: "ana@portal.test", password: "portal-demo" });
    await waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1));
    expect(page.go).not.toHaveBeenCalled();
    expect(localStorage.getItem(STORAGE_KEYS.loggedIn)).toBe("true");
    expect(localStorage.getItem(STORAGE_KEYS.userEmail)).toBe("ana@portal.test");
  });

  it("sends an administrator to /admin, whichever endpoint accepts the sign-in", async () => {
    server.use(replyTo(login, { message: "ok", user: buildUser({ role: "admin" }) }));
    const { fill } = renderLogin();
    await fill("other-admin@portal.test", "portal-admin");
    await waitFor(() => expect(page.go).toHaveBeenCalledWith("/admin"));
    expect(page.reload).not.toHaveBeenCalled();
  });

  it("shows the server's message when the sign-in fails, and allows another try", async () => {
    server.use(refuse(login, "invalid_credentials", "Invalid email or password"));
    const { fill } = renderLogin();
    await fill("ana@portal.test", "wrong");
    expect(await screen.findByText("Login Failed")).toBeDefined();
    expect(screen.getByText("Invalid email or password")).toBeDefined();
    expect(screen.getByRole("button", { name: "Sign In" }).getAttribute("aria-disabled")).toBeNull();
    expect(page.reload).not.toHaveBeenCalled();
  });

  it.each([
    ["nothing", ""],
    ["JSON without a message", '{"status":401}'],
    ["an HTML page", "<!doctype html><p>Unauthorized</p>"],
  ])("shows the recorded text when a refusal has no message: %s", async (_, body) => {
    server.use(http.post(login.path, () => new HttpResponse(body, { status: 401 })));
    const { fill } = renderLogin();
    await fill("ana@portal.test", "wrong");
    expect(await screen.findByText("Invalid email or password")).toBeDefined();
  });

  it("reports that there is no network, and does not reload", async () => {
    server.use(http.post(login.path, () => HttpResponse.error()));
    const { fill } = renderLogin();
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await fill("ana@portal.test", "portal-demo");
    expect(await screen.findByText("There is no network. Try again when it is back.")).toBeDefined();
    online.mockRestore();
  });

  it("is fully translated after switching to Spanish, errors included", async () => {
    server.use(refuse(login, "invalid_credentials", "Invalid email or password"));
    const { user } = renderLogin();
    await user.click(screen.getByRole("button", { name: "Español" }));
    await user.type(screen.getByLabelText("Correo electrónico"), "ana@portal.test");
    await user.type(screen.getByLabelText("Contraseña"), "wrong");
    await user.click(screen.getByRole("button", { name: "Iniciar sesión" }));
    expect(await screen.findByText("Correo electrónico o contraseña incorrectos")).toBeDefined();
  });

  it("applies the account's theme and language, unless a language was chosen here, also before a reload", async () => {
    server.use(replyTo(login, { message: "ok", user: buildUser({ theme: "dark", language: "en" }) }));
    const before = renderLogin();
    await before.user.click(screen.getByRole("button", { name: "Español" }));
    before.unmount();
    const { user } = renderLogin();
    await user.type(screen.getByLabelText("Correo electrónico"), "ana@portal.test");
    await user.type(screen.getByLabelText("Contraseña"), "portal-demo");
    await user.click(screen.getByRole("button", { name: "Iniciar sesión" }));
    await screen.findByRole("button", { name: "Iniciando sesión..." });
    await waitFor(() => expect(localStorage.getItem(STORAGE_KEYS.theme)).toBe("dark"));
    expect(localStorage.getItem(STORAGE_KEYS.language)).toBe("es");
    // The next user who signs in here has chosen nothing.
    expect(localStorage.getItem(STORAGE_KEYS.languagePicked)).toBeNull();
    await waitFor(() => expect(page.reload).toHaveBeenCalled());
  });

  it("shows in Spanish how long to wait after too many attempts", async () => {
    const body = { message: "Too many attempts", code: "too_many_attempts", retryAfterSeconds: 61 };
    server.use(replyTo(login, () => Response.json(body, { status: 429 })));
    setLanguage("es");
    const { user } = renderApp(<LoginPage />, { currentUser: null });
    await user.type(screen.getByLabelText("Correo electrónico"), "ana@portal.test");
    await user.type(screen.getByLabelText("Contraseña"), "wrong");
    await user.click(screen.getByRole("button", { name: "Iniciar sesión" }));
    expect(await screen.findByText("Demasiados intentos. Vuelve a intentarlo en 2 minutos.")).toBeDefined();
  });
});

describe("the login provider", () => {
  const provider = { name: "Acme Login" };

  it("is offered beside the form, and its failed sign-in is reported", async () => {
    server.use(replyTo(getSignInOptions, { password: true, provider }));
    window.history.replaceState(null, "", "/calendar?login_error=unknown_user");
    renderLogin();
    const link = await screen.findByRole<HTMLAnchorElement>("link", { name: "Sign in with Acme Login" });
    expect(link.pathname + link.search).toBe("/api/login?from=%2Fcalendar");
    expect(screen.getByRole("alert").textContent).toMatch(/^Acme Login knows you, but no account here/);
    expect(screen.getByRole("button", { name: "Sign In" })).toBeDefined();
    expect(window.location.search).toBe("");
    window.history.replaceState(null, "", "/");
  });

  it("is the only way to sign in when the page's metadata turns passwords off", async () => {
    const meta = document.createElement("meta");
    meta.name = "sign-in-options";
    meta.content = JSON.stringify({ password: false, provider });
    document.head.append(meta);
    renderLogin();
    expect(screen.getByRole("link", { name: "Sign in with Acme Login" })).toBeDefined();
    expect(screen.queryByLabelText("Email")).toBeNull();
    expect(screen.getByText(/^Contact your administrator/)).toBeDefined();
    meta.remove();
  });
});

describe("the administrator's email", () => {
  beforeEach(() => {
    const meta = document.createElement("meta");
    meta.name = "admin-email-sha256";
    meta.content = ADMIN_HASH;
    document.head.append(meta);
    return () => meta.remove();
  });

  it("is recognized by its hash, ignoring case and blanks", () => {
    expect(isAdminEmail(" Admin@Portal.TEST ")).toBe(true);
    expect(isAdminEmail("ana@portal.test")).toBe(false);
  });

  it("is sent to the administrators' sign-in, whose failure shows the recorded text", async () => {
    server.use(refuse(adminLogin, "admin_login_failed", "Admin login failed: Invalid email or password"));
    const { fill } = renderLogin();
    await fill("Admin@portal.test", "wrong");
    expect(await screen.findByText("Admin login failed: Invalid email or password")).toBeDefined();
    server.use(http.post(adminLogin.path, () => new HttpResponse("", { status: 401 })));
    await fill("", "");
    expect(await screen.findByText("Admin login failed")).toBeDefined();
  });
});
