import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { buildUser } from "../testing/builders.ts";
import { server } from "../testing/server.ts";
import { currentLanguage, setLanguage } from "./i18n.ts";
import { page } from "./navigation.ts";
import { createQueryClient } from "./query-client.ts";
import { followAccount, rememberSignIn, signOut, signOutTo } from "./session.ts";

it("leaves nothing of the person behind at sign-out, but theme and language", () => {
  const go = vi.spyOn(page, "go").mockReturnValue(undefined);
  localStorage.setItem("lead-desk.theme", "dark");
  sessionStorage.setItem("lead-desk.text-draft.7", "I will call you about");
  rememberSignIn(buildUser());
  signOut();
  expect(go).toHaveBeenCalledWith("/api/logout");
  expect(sessionStorage).toHaveLength(0);
  expect({ ...localStorage }).toEqual({ "lead-desk.theme": "dark" });
});

it("goes on to the login provider's sign-out where the session came from there", async () => {
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

it("takes up a sign-in that happened at the login provider, and keeps what was chosen here", () => {
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

it("takes up what the account has chosen in another browser since, and leaves what was chosen here", () => {
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
