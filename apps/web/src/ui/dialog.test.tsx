import { act, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { renderApp } from "../testing/render.tsx";
import { AlertDialog } from "./alert-dialog.tsx";
import { Dialog, DialogBody } from "./dialog.tsx";
import { toast } from "./toast.ts";

function Openers() {
  const [shown, setShown] = useState<"dialog" | "alert" | null>(null);
  const close = () => setShown(null);
  return (
    <>
      <button type="button" onClick={() => setShown("dialog")}>
        {"open dialog"}
      </button>
      <button type="button" onClick={() => setShown("alert")}>
        {"open alert"}
      </button>
      <Dialog open={shown === "dialog"} onOpenChange={close} title="Name">
        <DialogBody>
          <input aria-label="inside" />
        </DialogBody>
      </Dialog>
      <AlertDialog
        open={shown === "alert"}
        onOpenChange={close}
        title="Sure?"
        description="It is gone then."
        cancelLabel="Keep"
        confirmLabel="Delete"
        onConfirm={close}
      />
    </>
  );
}

describe("dialogs", () => {
  it.each([
    { opener: "open dialog", role: "dialog", inside: () => screen.getByLabelText("inside") },
    { opener: "open alert", role: "alertdialog", inside: () => screen.getByRole("button", { name: "Keep" }) },
  ])("take the focus, and return it to '$opener' on Escape", async ({ opener, role, inside }) => {
    const { user } = renderApp(<Openers />);
    const button = screen.getByRole("button", { name: opener });
    await user.click(button);
    await waitFor(() => expect(document.activeElement).toBe(inside()));
    await user.keyboard("{Escape}");
    expect(screen.queryByRole(role)).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("close on Escape even with a toast on screen, which the next Escape closes", async () => {
    const { user } = renderApp(<Openers />);
    await user.click(screen.getByRole("button", { name: "open dialog" }));
    act(() => toast({ title: "Not saved", tone: "destructive" }));
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByText("Not saved")).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(screen.queryByText("Not saved")).toBeNull();
  });
});
