import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { renderApp } from "../testing/render.tsx";
import { Button } from "./button.tsx";

function Saving({ onSubmit }: { onSubmit: () => void }) {
  const [isPending, setPending] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
        setPending(true);
      }}
    >
      <input aria-label="name" />
      <Button type="submit" pending={isPending}>
        {"Save"}
      </Button>
    </form>
  );
}

describe("a button", () => {
  it("keeps the focus while it is pending, and ignores presses", async () => {
    const onSubmit = vi.fn();
    const { user } = renderApp(<Saving onSubmit={onSubmit} />);
    const button = screen.getByRole("button", { name: "Save" });
    button.focus();
    await user.keyboard("{Enter}{Enter} ");
    expect(document.activeElement).toBe(button);
    expect([button.getAttribute("aria-disabled"), button.getAttribute("aria-busy")]).toEqual([
      "true",
      "true",
    ]);
    await user.type(screen.getByLabelText("name"), "x{Enter}");
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });

  it("that is disabled says so and does nothing", async () => {
    const onClick = vi.fn();
    const { user } = renderApp(
      <Button disabled onClick={onClick} onPointerDown={onClick} onKeyDown={onClick}>
        {"Save"}
      </Button>,
    );
    const button = screen.getByRole("button", { name: "Save" });
    await user.click(button);
    await user.keyboard("{Enter}");
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(onClick).not.toHaveBeenCalled();
  });
});
