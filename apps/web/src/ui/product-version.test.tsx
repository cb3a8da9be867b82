import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { version } from "../../package.json";
import { setLanguage } from "../lib/i18n.ts";
import { renderApp } from "../testing/render.tsx";
import { ProductVersion } from "./product-version.tsx";

it("shows the product version in both languages", async () => {
  renderApp(<ProductVersion />);
  expect(screen.getByText(`Version ${version}`)).toBeTruthy();
  act(() => setLanguage("es"));
  await screen.findByText(`Versión ${version}`);
});
