import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { buildUser } from "../testing/builders.ts";
import { server } from "../testing/server.ts";
import { page } from "./navigation.ts";
import { createQueryClient } from "./query-client.ts";
import { rememberSignIn, resumeSignIn, signOut, signOutTo } from "./session.ts";

it("leaves nothing of the person behind at sign-out, but theme and language", () => {
  const go = vi.spyOn(page, "go").mockReturnValue(undefined);
  localStorage.setItem("lead-desk.theme", "dark");
  sessionStorage.setItem("lead-desk.text-draft.7", "I will call you about");
  rememberSignIn("ana@example.com");
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
  rememberSignIn("ana@example.com");
  await signOutTo("/admin/login", createQueryClient());
  expect(go).toHaveBeenCalledWith(url);
  expect(localStorage).toHaveLength(0);
});

it("takes up a sign-in that happened at the login provider, and keeps what was chosen here", () => {
  localStorage.setItem("lead-desk.theme", "light");
  resumeSignIn(buildUser({ email: "ana@example.com", theme: "dark", language: "es" }));
  expect({ ...localStorage }).toEqual({
    "lead-desk.theme": "light",
    "lead-desk.language": "es",
    "lead-desk.logged-in": "true",
    "lead-desk.user-email": "ana@example.com",
  });
});
