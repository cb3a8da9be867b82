import { getCurrentUser } from "@portal/contract/routes/auth";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { buildUser } from "../../../testing/builders.ts";
import { renderApp } from "../../../testing/render.tsx";
import { refuse, replyTo, server } from "../../../testing/server.ts";
import { setSound } from "./player-store.ts";
import { RecordingPlayer } from "./recording-player.tsx";

/** jsdom plays nothing; these simulate the browser. */
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
  server.use(
    replyTo(getCurrentUser, buildUser()),
    http.get("/api/ai-recording/7", () => new HttpResponse("sound", { status: 206 })),
  );
});

function fire(element: HTMLAudioElement | undefined, event: string) {
  act(() => void element?.dispatchEvent(new Event(event)));
}

function breakAudio(element: HTMLAudioElement | undefined, code: number) {
  if (element) Object.defineProperty(element, "error", { value: { code } });
  fire(element, "error");
}

const renderPlayer = () =>
  renderApp(<RecordingPlayer kind="aiRecording" url="/api/ai-recording/7" name="Inés Duarte" />);

describe("the recording player", () => {
  it("loads nothing before the first press", () => {
    renderPlayer();
    expect(screen.getByRole("button", { name: "Play recording" })).toBeTruthy();
    expect(elements).toHaveLength(0);
  });

  it("loads, plays, pauses and resumes", async () => {
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    expect(screen.getByRole("button", { name: "Loading recording" })).toBeTruthy();
    expect(elements[0]?.getAttribute("src")).toBe("/api/ai-recording/7");
    fire(elements[0], "canplay");
    await user.click(await screen.findByRole("button", { name: "Pause recording" }));
    await user.click(await screen.findByRole("button", { name: "Play recording" }));
    expect(await screen.findByRole("button", { name: "Pause recording" })).toBeTruthy();
    expect(elements).toHaveLength(1);
  });

  it("asks for a sign-in without a session", async () => {
    server.use(refuse(getCurrentUser, "unauthenticated", "Please sign in"));
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    expect(await screen.findByText("Por favor inicia sesión para escuchar las grabaciones")).toBeTruthy();
  });

  it("reports that the session could not be checked", async () => {
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
  ])("explains media error %i", async (code, text) => {
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    breakAudio(elements[0], code);
    if (code === 4) {
      // It is available, so it was retried once.
      await waitFor(() => expect(elements).toHaveLength(2));
      breakAudio(elements[1], code);
    }
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });

  it("plays a recording whose first request was refused", async () => {
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    breakAudio(elements[0], 4);
    await waitFor(() => expect(elements).toHaveLength(2));
    fire(elements[1], "canplay");
    expect(await screen.findByRole("button", { name: "Pause recording" })).toBeTruthy();
  });

  it.each([
    ["a refusal", () => HttpResponse.json({ message: "No." }, { status: 500 })],
    ["no response", () => HttpResponse.error()],
  ])(
    "distinguishes %s from an unsupported format, although browsers report both alike",
    async (_name, answer) => {
      // Regression: a recording with a 500 response was reported as an unsupported format.
      server.use(http.get("/api/ai-recording/7", answer));
      const { user } = renderPlayer();
      await user.click(screen.getByRole("button", { name: "Play recording" }));
      breakAudio(elements[0], 4);
      expect(await screen.findByText(/^Error loading audio: Network error/)).toBeTruthy();
    },
  );

  it("times out after 5 s of loading", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(screen.queryByRole("alert")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(await screen.findByText("Error al cargar la grabación")).toBeTruthy();
    vi.useRealTimers();
  });

  it("times out after 5 s also when it was paused while loading", async () => {
    // Regression: paused and played again before any data arrived, it loaded forever.
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    await user.click(screen.getByRole("button", { name: "Loading recording" }));
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    expect(elements).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    expect(await screen.findByText("Error al cargar la grabación")).toBeTruthy();
    vi.useRealTimers();
  });

  it("reports that the browser refuses to play, and retries from the start", async () => {
    vi.mocked(HTMLMediaElement.prototype.play).mockRejectedValueOnce(new Error("refused"));
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    fire(elements[0], "canplay");
    expect(await screen.findByText("Error al reproducir")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    fire(elements[1], "canplay");
    expect(await screen.findByRole("button", { name: "Pause recording" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("pauses a playing recording when another starts", async () => {
    const { user } = renderApp(
      <>
        <RecordingPlayer kind="aiRecording" url="/api/ai-recording/7" name="Inés Duarte" />
        <RecordingPlayer kind="aiRecording" url="/api/ai-recording/8" name="Óscar Peña" />
      </>,
    );
    const [one, other] = screen.getAllByRole("button", { name: "Play recording" });
    if (!one || !other) throw new Error("two players expected");
    await user.click(one);
    fire(elements[0], "canplay");
    await waitFor(() => expect(one.getAttribute("aria-label")).toBe("Pause recording"));
    await user.click(other);
    fire(elements[1], "canplay");
    await waitFor(() => expect(other.getAttribute("aria-label")).toBe("Pause recording"));
    expect(one.getAttribute("aria-label")).toBe("Play recording");
  });

  it("returns to the start when the recording ends", async () => {
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    fire(elements[0], "canplay");
    await screen.findByRole("button", { name: "Pause recording" });
    fire(elements[0], "ended");
    expect(await screen.findByRole("button", { name: "Play recording" })).toBeTruthy();
    expect(screen.getByText(/^0:00 \//)).toBeTruthy();
  });

  it("reports that the rest of a recording failed to load", async () => {
    const { user } = renderPlayer();
    await user.click(screen.getByRole("button", { name: "Play recording" }));
    fire(elements[0], "canplay");
    await screen.findByRole("button", { name: "Pause recording" });
    breakAudio(elements[0], 2);
    expect(await screen.findByText(/^Error loading audio: Network error/)).toBeTruthy();
  });

  it("sets volume and speed for the current and later recordings", async () => {
    const { user } = renderApp(
      <>
        <RecordingPlayer kind="callRecording" url="/api/a" name="Inés Duarte" expanded />
        <RecordingPlayer kind="callRecording" url="/api/b" name="Óscar Peña" />
      </>,
    );
    const [one, other] = screen.getAllByRole("button", { name: "Play recording" });
    if (!one || !other) throw new Error("two players expected");
    await user.click(one);
    fire(elements[0], "canplay");
    const volume = await screen.findByRole("slider", { name: "Volume" });
    expect(volume.getAttribute("aria-valuetext")).toBe("100 %");
    fireEvent.change(volume, { target: { value: "40" } });
    await user.click(screen.getByRole("combobox", { name: "Speed" }));
    await user.click(await screen.findByRole("option", { name: "1.5×" }));
    expect(elements[0]?.volume).toBe(0.4);
    expect(elements[0]?.playbackRate).toBe(1.5);
    await user.click(other);
    expect(elements[1]?.volume).toBe(0.4);
    expect(elements[1]?.playbackRate).toBe(1.5);
    act(() => setSound({ volume: 100, speed: 1 }));
  });

  it("supports keys: Space plays and pauses, arrows seek 5 s", async () => {
    const { user } = renderPlayer();
    screen.getByRole("button", { name: "Play recording" }).focus();
    await user.keyboard(" ");
    if (elements[0]) Object.defineProperty(elements[0], "duration", { value: 60 });
    fire(elements[0], "durationchange");
    fire(elements[0], "canplay");
    await screen.findByRole("button", { name: "Pause recording" });
    await user.keyboard("{ArrowRight}{ArrowRight}{ArrowLeft}");
    expect(screen.getByText("0:05 / 1:00")).toBeTruthy();
    screen.getByRole("slider", { name: "Position in the recording" }).focus();
    await user.keyboard("{ArrowRight}");
    expect(screen.getByText("0:10 / 1:00")).toBeTruthy();
    await user.keyboard(" ");
    expect(await screen.findByRole("button", { name: "Play recording" })).toBeTruthy();
  });

  it("shows length, volume, hint and download before playing if they are requested", async () => {
    renderApp(
      <RecordingPlayer
        kind="callRecording"
        url="/api/a"
        name="Inés Duarte"
        seconds={74}
        expanded
        downloadUrl="/api/a?download=1"
      />,
    );
    expect(screen.getByText("0:00 / 1:14")).toBeTruthy();
    const download = await screen.findByRole("link", { name: "Download Inés Duarte" });
    expect(download.getAttribute("href")).toBe("/api/a?download=1");
    expect(download.getAttribute("target")).toBe("_blank");
    expect(screen.getByText("No sound? Check that your device is not on silent.")).toBeTruthy();
    expect(elements).toHaveLength(0);
  });
});
