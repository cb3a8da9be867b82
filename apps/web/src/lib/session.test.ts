import { expect, it, vi } from "vitest";
import { page } from "./navigation.ts";
import { rememberSignIn, signOut } from "./session.ts";

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
