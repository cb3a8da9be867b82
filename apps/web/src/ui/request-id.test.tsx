import { act, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../lib/api.ts";
import { setLanguage } from "../lib/i18n.ts";
import { renderApp } from "../testing/render.tsx";
import { ListFailed, MoreRows, RowsFailed } from "./list-states.tsx";
import { toast } from "./toast.ts";

const id = "0b4e7c58-6a0e-4f5e-9a55-1f8f7f2f3c11";

function failure(status: number): ApiError {
  const body = { message: "Something went wrong.", code: "internal", requestId: id };
  return new ApiError({ status, text: body.message, body });
}

function showToast(error: unknown): void {
  act(() => toast({ title: "Not saved", error, tone: "destructive" }));
}

describe("the request id of a server error", () => {
  it("is shown on a failed list, and copied with one key press", async () => {
    const found = { error: failure(500), isFetching: false, refetch: vi.fn() };
    const { user } = renderApp(<ListFailed found={found} title="Not loaded" />);
    screen.getByRole("button", { name: `Request ${id}` }).focus();
    await user.keyboard("{Enter}");
    expect(await navigator.clipboard.readText()).toBe(id);
    await screen.findByText(/Copied/);
    expect(found.refetch).not.toHaveBeenCalled();
  });

  it("is shown below a list whose next rows failed to load", async () => {
    const error = failure(500);
    const pages = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: true, error };
    renderApp(
      <>
        <MoreRows found={{ ...pages, fetchNextPage: vi.fn() }} />
        <RowsFailed message="More rows could not be loaded." error={error} onRetry={vi.fn()} />
      </>,
    );
    expect(screen.getAllByRole("button", { name: `Request ${id}` })).toHaveLength(2);
  });

  it("is shown on a toast in both languages, and copying it does not open the toast", async () => {
    const onOpen = vi.fn();
    const { user } = renderApp(<p>page</p>);
    act(() => toast({ title: "Not saved", error: failure(503), onOpen, tone: "destructive" }));
    await user.click(screen.getByRole("button", { name: `Request ${id}` }));
    expect(await navigator.clipboard.readText()).toBe(id);
    expect(onOpen).not.toHaveBeenCalled();
    act(() => setLanguage("es"));
    await screen.findByRole("button", { name: new RegExp(`^Solicitud ${id}.*Copiado$`) });
  });

  it("is selected if the browser cannot copy", async () => {
    const { user } = renderApp(<p>page</p>);
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("not allowed"));
    showToast(failure(500));
    await user.click(screen.getByRole("button", { name: `Request ${id}` }));
    await screen.findByText(/Press Ctrl\+C to copy\./);
    expect(getSelection()?.toString()).toBe(id);
  });

  it.each([
    ["a refusal", failure(409)],
    ["a response of a proxy", new ApiError({ status: 502, text: "Bad gateway" })],
    ["no response", new TypeError("Failed to fetch")],
  ])("is not shown for %s", (_, error) => {
    renderApp(<p>page</p>);
    showToast(error);
    expect(screen.queryByText(/Request/)).toBeNull();
  });
});
