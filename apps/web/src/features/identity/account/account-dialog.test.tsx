import type { CurrentUser } from "@portal/contract/entities/user";
import { changePassword, getSettings, updateProfile } from "@portal/contract/routes/account";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { buildSettings, buildUser } from "../../../testing/builders.ts";
import { renderApp } from "../../../testing/render.tsx";
import { refuse, replyTo, server } from "../../../testing/server.ts";
import { AccountDialog } from "./account-dialog.tsx";

function renderDialog(user: CurrentUser = buildUser()) {
  const onClose = vi.fn();
  const rendered = renderApp(<AccountDialog user={user} onClose={onClose} />, { currentUser: user });
  const dialog = within(screen.getByRole("dialog", { name: "Account Settings" }));
  const change = async (label: string, text: string) => {
    const input = dialog.getByLabelText(label);
    await rendered.user.clear(input);
    if (text) await rendered.user.type(input, text);
  };
  const click = (name: string) => rendered.user.click(dialog.getByRole("button", { name }));
  return { ...rendered, dialog, change, click, onClose };
}

afterEach(() => vi.unstubAllGlobals());

function recordProfileRequests() {
  const bodies: unknown[] = [];
  server.use(
    replyTo(updateProfile, ({ body }) => {
      bodies.push(body);
      return buildUser(body as Partial<CurrentUser>);
    }),
    replyTo(getCurrentUser, buildUser({ name: "Ana Rivera Soto" })),
  );
  return bodies;
}

describe("the profile", () => {
  it("shows the current user's fields", () => {
    const { dialog } = renderDialog();
    expect(dialog.getByLabelText<HTMLInputElement>("Full Name").value).toBe("Ana Rivera");
    expect(dialog.getByLabelText<HTMLInputElement>("Email Address").value).toBe("ana@portal.test");
    expect(dialog.getByLabelText<HTMLInputElement>("Personal Phone Number").value).toBe("+1 787 555 0101");
  });

  it("reports that nothing changed, without a request", async () => {
    const { click, onClose } = renderDialog();
    await click("Save Changes");
    expect(await screen.findByText("No Changes")).toBeDefined();
    expect(screen.getByText("No changes detected to save.")).toBeDefined();
    expect(onClose).not.toHaveBeenCalled();
  });

  it("treats a blank name as unchanged", async () => {
    const { change, click } = renderDialog();
    await change("Full Name", "  ");
    await click("Save Changes");
    expect(await screen.findByText("No Changes")).toBeDefined();
  });

  it("sends only changed fields, shows a toast, closes and refetches the user", async () => {
    const bodies = recordProfileRequests();
    const { change, click, onClose, client } = renderDialog();
    await change("Full Name", " Ana Rivera Soto ");
    await change("Email Address", "");
    await click("Save Changes");
    expect(await screen.findByText("Profile Updated")).toBeDefined();
    expect(screen.getByText("Your profile has been updated successfully.")).toBeDefined();
    expect(bodies).toEqual([{ name: "Ana Rivera Soto" }]);
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(client.getQueryData([getCurrentUser.path])).toMatchObject({ name: "Ana Rivera Soto" });
  });

  it("allows an empty phone", async () => {
    const bodies = recordProfileRequests();
    const { change, click } = renderDialog();
    await change("Personal Phone Number", "");
    await click("Save Changes");
    await screen.findByText("Profile Updated");
    expect(bodies).toEqual([{ personalPhoneNumber: "" }]);
  });

  it("stays open with the recorded error, and marks the field that the server rejects", async () => {
    server.use(refuse(updateProfile, "email_taken", "This email address is in use."));
    const { change, click, dialog, onClose } = renderDialog();
    await change("Email Address", "luis@portal.test");
    await click("Save Changes");
    expect(await screen.findByText("Failed to update profile.")).toBeDefined();
    expect(onClose).not.toHaveBeenCalled();
    expect(dialog.getByText("This email address is in use.")).toBeDefined();
    expect(dialog.getByLabelText("Email Address").getAttribute("aria-invalid")).toBe("true");
  });

  it("rejects a file that is not an image, and says so", async () => {
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("no picture")));
    const { dialog, click, user } = renderDialog();
    const input = dialog.getByLabelText<HTMLInputElement>("Profile Photo");
    expect(input.accept).toBe("image/*");
    await user.upload(input, new File(["<svg/>"], "photo.png", { type: "image/png" }));
    expect(await dialog.findByText(/not a picture that this browser can show/)).toBeDefined();
    await click("Save Changes");
    expect(await screen.findByText("No Changes")).toBeDefined();
  });

  it("removes the photo", async () => {
    const bodies = recordProfileRequests();
    const { click, dialog } = renderDialog(buildUser({ profileImage: "/api/users/2/photo?v=1" }));
    await click("Remove photo");
    expect(dialog.queryByRole("button", { name: "Remove photo" })).toBeNull();
    await click("Save Changes");
    await screen.findByText("Profile Updated");
    expect(bodies).toEqual([{ profileImage: null }]);
  });

  it("closes with Cancel", async () => {
    const { click, onClose } = renderDialog();
    await click("Cancel");
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});

describe("the password", () => {
  async function fillPasswords(
    { change }: ReturnType<typeof renderDialog>,
    [current, next, confirmed]: [string, string, string],
  ) {
    await change("Current Password", current);
    await change("New Password", next);
    await change("Confirm New Password", confirmed);
  }

  it("shows Change Password only when all three fields are filled", async () => {
    const rendered = renderDialog();
    await fillPasswords(rendered, ["portal-demo", "better-one", ""]);
    expect(rendered.dialog.queryByRole("button", { name: "Change Password" })).toBeNull();
    await rendered.change("Confirm New Password", "b");
    expect(rendered.dialog.getByRole("button", { name: "Change Password" })).toBeDefined();
  });

  it.each([
    { next: "better-one", confirmed: "other-one", text: "New passwords don't match." },
    { next: "short", confirmed: "short", text: "Password must be at least 6 characters long." },
  ])("rejects with '$text' without a request", async ({ next, confirmed, text }) => {
    const rendered = renderDialog();
    await fillPasswords(rendered, ["portal-demo", next, confirmed]);
    await rendered.click("Change Password");
    expect(await screen.findByText(text)).toBeDefined();
  });

  it("sends both passwords, shows a toast and clears the fields", async () => {
    let sent: unknown;
    server.use(
      replyTo(changePassword, ({ body }) => {
        sent = body;
        return { message: "ok" };
      }),
    );
    const rendered = renderDialog();
    await fillPasswords(rendered, ["portal-demo", "better-one", "better-one"]);
    await rendered.click("Change Password");
    expect(await screen.findByText("Password Changed")).toBeDefined();
    expect(screen.getByText("Your password has been changed successfully.")).toBeDefined();
    expect(sent).toEqual({ currentPassword: "portal-demo", newPassword: "better-one" });
    for (const label of ["Current Password", "New Password", "Confirm New Password"]) {
      expect(rendered.dialog.getByLabelText<HTMLInputElement>(label).value).toBe("");
    }
    expect(rendered.onClose).not.toHaveBeenCalled();
  });

  it("links to the login provider that stores it", async () => {
    const provider = {
      name: "Example Login",
      linked: true,
      canUnlink: false,
      passwordPage: "https://login.example.com/me",
    };
    server.use(replyTo(getSettings, buildSettings({ signIn: { password: false, provider } })));
    const { dialog } = renderDialog();
    const link = await dialog.findByRole("link", { name: "Change it at Example Login" });
    expect(link.getAttribute("href")).toBe(provider.passwordPage);
    expect(dialog.queryByLabelText("Current Password")).toBeNull();
  });

  it("shows the recorded error and keeps the fields when the server refuses", async () => {
    server.use(refuse(changePassword, "current_password_wrong", "Wrong"));
    const rendered = renderDialog();
    await fillPasswords(rendered, ["wrong", "better-one", "better-one"]);
    await rendered.click("Change Password");
    expect(
      await screen.findByText("Failed to change password. Please check your current password."),
    ).toBeDefined();
    await waitFor(() =>
      expect(rendered.dialog.getByLabelText<HTMLInputElement>("New Password").value).toBe("better-one"),
    );
  });
});
