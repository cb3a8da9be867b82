import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderApp } from "../testing/render.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "./dropdown-menu.tsx";
import { useLateMenu } from "./use-late-menu.ts";

function Menu({ opened }: { opened: "pointer" | "keyboard" }) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger>{"More"}</DropdownMenuTrigger>
      <DropdownMenuContent focusFirst={opened === "keyboard"}>
        <DropdownMenuItem>{"Assign"}</DropdownMenuItem>
        <DropdownMenuItem>{"Schedule"}</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

const load = async () => ({ Menu });

function LateMenu() {
  const { menu, opened, trigger } = useLateMenu(load);
  if (menu) return <menu.Menu opened={opened} />;
  return (
    <button type="button" {...trigger}>
      {"More"}
    </button>
  );
}

describe("a lazily loaded menu", () => {
  it.each(["{Enter}", " ", "{ArrowDown}"])(
    "opens by %j with its first item focused, and returns the focus to its button",
    async (key) => {
      const { user } = renderApp(<LateMenu />);
      screen.getByRole("button", { name: "More" }).focus();
      await user.keyboard(key);
      const first = await screen.findByRole("menuitem", { name: "Assign" });
      await waitFor(() => expect(document.activeElement).toBe(first));
      await user.keyboard("{ArrowDown}");
      expect(document.activeElement).toBe(screen.getByRole("menuitem", { name: "Schedule" }));
      await user.keyboard("{Escape}");
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "More" })));
    },
  );

  it("opens by a pointer without highlighting an item", async () => {
    const { user } = renderApp(<LateMenu />);
    await user.click(screen.getByRole("button", { name: "More" }));
    expect(await screen.findByRole("menu")).toBe(document.activeElement);
  });
});
