import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { buildUser } from "../testing/builders.ts";
import { server } from "../testing/server.ts";
import { currentLanguage, setLanguage } from "./i18n.ts";
import { page } from "./navigation.ts";
import { createQueryClient } from "./query-client.ts";
import { followAccount, rememberSignIn, signOut, signOutTo } from "./session.ts";

it("clears everything of the user at sign-out, except theme and language", () => {
  const go = vi.spyOn(page, "go").mockReturnValue(undefined);
  localStorage.setItem("lead-desk.theme", "dark");
  sessionStorage.setItem("lead-desk.text-draft.7", "I will call you about");
  rememberSignIn(buildUser());
  signOut();
  expect(go).toHaveBeenCalledWith("/api/logout");
  expect(sessionStorage).toHaveLength(0);
  expect({ ...localStorage }).toEqual({ "lead-desk.theme": "dark" });
});

it("continues to the login provider's sign-out if the session started there", async () => {
  const go = vi.spyOn(page, "go").mockReturnValue(undefined);
  const url = "https://login.example.com/end";
  server.use(
    http.get("/api/logout", ({ request }) =>
      request.headers.get("accept") === "application/json"
        ? HttpResponse.json({ message: "Signed out", url })
        : new HttpResponse(null, { status: 302, headers: { location: url } }),
    ),
  );
  rememberSignIn(buildUser());
  await signOutTo("/admin/login", createQueryClient());
  expect(go).toHaveBeenCalledWith(url);
  expect(localStorage).toHaveLength(0);
});

it("applies the account after a sign-in at the login provider, and keeps the choices made here", () => {
  localStorage.setItem("lead-desk.theme", "light");
  followAccount(buildUser({ email: "ana@example.com", theme: "dark", language: "es" }));
  expect({ ...localStorage }).toEqual({
    "lead-desk.theme": "light",
    "lead-desk.language": "es",
    "lead-desk.logged-in": "true",
    "lead-desk.user-email": "ana@example.com",
    "lead-desk.account-interface": "dark es",
  });
});

it("applies choices made in another browser, and keeps the choices made here", () => {
  rememberSignIn(buildUser({ theme: "light", language: "en" }));
  setLanguage("es");
  followAccount(buildUser({ theme: "light", language: "en" }));
  expect(currentLanguage()).toBe("es");
  followAccount(buildUser({ theme: "dark", language: "en" }));
  expect([currentLanguage(), document.documentElement.className]).toEqual(["es", "dark"]);
  setLanguage("en");
  followAccount(buildUser({ theme: "dark", language: "es" }));
  expect(currentLanguage()).toBe("es");
});
