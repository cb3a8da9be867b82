import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { renderApp } from "../testing/render.tsx";
import { useRetainedFocus } from "./notifications.tsx";

function Chips() {
  useRetainedFocus();
  const [chips, setChips] = useState(["one", "two"]);
  return (
    <>
      <a href="/elsewhere">{"elsewhere"}</a>
      <section>
        <input aria-label="search" />
        <ul>
          {chips.map((chip) => (
            <li key={chip}>
              <button type="button" onClick={() => setChips(chips.filter((other) => other !== chip))}>
                {chip}
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

describe("the focus of a control that disappears when it is pressed", () => {
  it("moves to its neighbor on a key press", async () => {
    const { user } = renderApp(<Chips />);
    screen.getByRole("button", { name: "one" }).focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "two" })));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("search")));
  });
});
