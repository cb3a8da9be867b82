import { getCurrentUser } from "@portal/contract/routes/auth";
import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { buildUser } from "../../testing/builders.ts";
import { renderApp } from "../../testing/render.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";
import { AiRecordingPlayer } from "./components/ai-recording-player.tsx";

/** jsdom plays nothing: these stand in for what the browser does. */
const elements: HTMLAudioElement[] = [];

beforeEach(() => {
  elements.length = 0;
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(function (this: HTMLMediaElement) {
    if (this instanceof HTMLAudioElement && this.hasAttribute("src")) elements.push(this);
  });
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("playing"));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("pause"));
  });
  server.use(replyTo(getCurrentUser, buildUser()));
});

function tell(element: HTMLAudioElement | undefined, event: string) {
  act(() => void element?.dispatchEvent(new Event(event)));
}

function breakAudio(element: HTMLAudioElement | undefined, code: number) {
  if (element) Object.defineProperty(element, "error", { value: { code } });
  tell(element, "error");
}

const renderPlayer = () => renderApp(<AiRecordingPlayer url="/api/ai-recording/7" name="Inés Duarte" />);

describe("the AI recording player", () => {
  it("loads nothing before the first press", () => {
    renderPlayer();
    expect(screen.getByRole("button", { name: "Play recording" })).toBeTruthy();
    expect(elements).toHaveLength(0);
  });

  it("loads, plays, pauses and goes on", async () => {
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    expect(screen.getByRole("button", { name: "Loading recording" })).toBeTruthy();
    expect(elements[0]?.getAttribute("src")).toBe("/api/ai-recording/7");
    tell(elements[0], "canplay");
    await user.click(await screen.findByRole("button", { name: "Pause recording" }));
    await user.click(await screen.findByRole("button", { name: "Play recording" }));
    expect(await screen.findByRole("button", { name: "Pause recording" })).toBeTruthy();
    expect(elements).toHaveLength(1);
  });

  it("asks for a sign-in where nobody is signed in", async () => {
    server.use(refuse(getCurrentUser, "unauthenticated", "Please sign in"));
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    expect(await screen.findByText("Por favor inicia sesión para escuchar las grabaciones")).toBeTruthy();
  });

  it("tells when the sign-in could not be checked", async () => {
    server.use(replyTo(getCurrentUser, () => Response.error()));
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    expect(await screen.findByText("Error de conexión")).toBeTruthy();
  });

  it.each([
    [1, "Error loading audio: Loading was aborted"],
    [2, "Error loading audio: Network error: check connection or authentication"],
    [3, "Error loading audio: The audio could not be decoded"],
    [4, "Error loading audio: Audio format not supported"],
    [9, "Error loading audio: Unknown error"],
  ])("says what media error %i means", async (code, text) => {
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    breakAudio(elements[0], code);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });

  it("gives up after 5 s of loading", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(screen.queryByRole("alert")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(await screen.findByText("Error al cargar la grabación")).toBeTruthy();
    vi.useRealTimers();
  });

  it("tells when the browser refuses to play, and tries again from the start", async () => {
    vi.mocked(HTMLMediaElement.prototype.play).mockRejectedValueOnce(new Error("refused"));
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    tell(elements[0], "canplay");
    expect(await screen.findByText("Error al reproducir")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    tell(elements[1], "canplay");
    expect(await screen.findByRole("button", { name: "Pause recording" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("pauses the recording that plays when another starts", async () => {
    const { user } = renderApp(
      <>
        <AiRecordingPlayer url="/api/ai-recording/7" name="Inés Duarte" />
        <AiRecordingPlayer url="/api/ai-recording/8" name="Óscar Peña" />
      </>,
    );
    const [one, other] = screen.getAllByRole("button", { name: "Play recording" });
    if (!one || !other) throw new Error("two players expected");
    await user.click(one);
    tell(elements[0], "canplay");
    await waitFor(() => expect(one.getAttribute("aria-label")).toBe("Pause recording"));
    await user.click(other);
    tell(elements[1], "canplay");
    await waitFor(() => expect(other.getAttribute("aria-label")).toBe("Pause recording"));
    expect(one.getAttribute("aria-label")).toBe("Play recording");
  });

  it("returns to the start when the recording ends", async () => {
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    tell(elements[0], "canplay");
    await screen.findByRole("button", { name: "Pause recording" });
    tell(elements[0], "ended");
    expect(await screen.findByRole("button", { name: "Play recording" })).toBeTruthy();
    expect(screen.getByText(/^0:00 \//)).toBeTruthy();
  });
});
