import { checkPasswordLink, usePasswordLink } from "@portal/contract/routes/auth";
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { setLanguage } from "../../../lib/i18n.ts";
import { page } from "../../../lib/navigation.ts";
import { renderApp } from "../../../testing/render.tsx";
import { refuse, replyTo, server } from "../../../testing/server.ts";
import { ChoosePasswordPage } from "./choose-password-page.tsx";

const owner = { name: "Ana Rivera", email: "ana@portal.test" };

function visit(token: string) {
  window.history.replaceState(null, "", `/choose-password${token && `#${token}`}`);
  return renderApp(<ChoosePasswordPage />, { currentUser: null });
}

beforeEach(() => () => window.history.replaceState(null, "", "/"));

it("shows whose link it is, enforces the recorded rules and links to the sign-in", async () => {
  const go = vi.spyOn(page, "go").mockImplementation(() => undefined);
  const bodies: unknown[] = [];
  server.use(
    replyTo(checkPasswordLink, ({ body }) => {
      bodies.push(body);
      return owner;
    }),
    replyTo(usePasswordLink, ({ body }) => {
      bodies.push(body);
      return { message: "ok" };
    }),
  );
  const { user } = visit("a-token");
  expect(await screen.findByText("For the account of Ana Rivera, ana@portal.test.")).toBeDefined();
  const save = screen.getByRole("button", { name: "Save Password" });
  await user.type(screen.getByLabelText("New Password"), "12345");
  await user.click(save);
  expect(screen.getByRole("alert").textContent).toBe("Password must be at least 6 characters long.");
  await user.type(screen.getByLabelText("New Password"), "6789");
  await user.type(screen.getByLabelText("Confirm New Password"), "other");
  await user.click(save);
  expect(screen.getByRole("alert").textContent).toBe("New passwords don't match.");
  await user.clear(screen.getByLabelText("Confirm New Password"));
  await user.type(screen.getByLabelText("Confirm New Password"), "123456789{Enter}");
  expect(await screen.findByText("Your password has been changed successfully.")).toBeDefined();
  expect(bodies).toEqual([{ token: "a-token" }, { token: "a-token", newPassword: "123456789" }]);
  await user.click(screen.getByRole("button", { name: "Go to Sign In" }));
  expect(go).toHaveBeenCalledWith("/");
});

it("reports an invalid link in Spanish, and checks another link put in its place", async () => {
  setLanguage("es");
  server.use(refuse(checkPasswordLink, "password_link_invalid", "used"));
  visit("old");
  expect(await screen.findByText(/^Este enlace ya se usó, venció o está incompleto/)).toBeDefined();
  server.use(replyTo(checkPasswordLink, owner));
  window.location.hash = "#new";
  expect(await screen.findByText("Para la cuenta de Ana Rivera, ana@portal.test.")).toBeDefined();
});

it("sends no request without a token, and retries after the server was unreachable", async () => {
  const { unmount } = visit("");
  expect(await screen.findByRole("heading", { name: "This link does not work" })).toBeDefined();
  unmount();
  server.use(refuse(checkPasswordLink, "unavailable", "The service is briefly unavailable."));
  const { user } = visit("a-token");
  const retry = await screen.findByRole("button", { name: "Try Again" });
  expect(screen.getByText("The service is briefly unavailable.")).toBeDefined();
  server.use(replyTo(checkPasswordLink, owner));
  await user.click(retry);
  await waitFor(() => expect(screen.getByLabelText("New Password")).toBeDefined());
});
