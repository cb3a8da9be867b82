import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderApp } from "../testing/render.tsx";
import { NewItemsPill } from "./list-states.tsx";

it("announces new rows next to the button, which keeps its own name", async () => {
  const onShow = vi.fn();
  const { user } = renderApp(<NewItemsPill onShow={onShow}>2 new calls</NewItemsPill>);
  expect(screen.getByRole("status").closest("button")).toBeNull();
  expect(screen.getByRole("status").textContent).toBe("2 new calls");
  await user.click(screen.getByRole("button", { name: "2 new calls" }));
  expect(onShow).toHaveBeenCalledOnce();
});
