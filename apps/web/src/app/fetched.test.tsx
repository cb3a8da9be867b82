import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Fetched, loadScreen } from "./splash.tsx";

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

it("shows the splash until the screen's code has loaded", async () => {
  const code = Promise.withResolvers<typeof Greeting>();
  const load = () => code.promise;
  render(<Fetched load={load} props={{ name: "Ana" }} />);
  expect(screen.getByText(/^Loading/)).toBeTruthy();
  code.resolve(Greeting);
  expect(await screen.findByText("Hello Ana")).toBeTruthy();
  expect(screen.queryByText(/^Loading/)).toBeNull();
});

it("shows a screen whose code has loaded already without a splash", async () => {
  const load = async () => Greeting;
  await loadScreen(load);
  render(<Fetched load={load} props={{ name: "Ana" }} />);
  expect(screen.getByText("Hello Ana")).toBeTruthy();
});

it("offers to reload when the screen's code fails to load", async () => {
  const silent = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = () => Promise.reject(new Error("gone"));
  render(
    <ErrorBoundary>
      <Fetched load={load} props={{}} />
    </ErrorBoundary>,
  );
  expect(await screen.findByRole("button", { name: "Reload" })).toBeTruthy();
  silent.mockRestore();
});
