import { leaveMessage } from "@portal/contract/routes/calls";
import {
  deleteVoicemailMessage,
  listVoicemailMessages,
  recordVoicemailMessage,
  updateVoicemailMessage,
  uploadVoicemailMessage,
  type VoicemailMessage,
} from "@portal/contract/routes/voicemail-messages";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { buildCall } from "../../../testing/lead-builders.ts";
import { renderApp } from "../../../testing/render.tsx";
import { refuse, replyTo, server } from "../../../testing/server.ts";
import { LeaveMessage } from "./leave-message.tsx";
import VoicemailMessagesDialog from "./voicemail-messages-dialog.tsx";

const build = (overrides: Partial<VoicemailMessage> = {}): VoicemailMessage => ({
  id: 1,
  name: "Call me back",
  language: "en",
  format: "mp3",
  seconds: 21,
  isDefault: true,
  createdAt: "2026-11-20T10:00:00.000Z",
  ...overrides,
});

describe("recorded messages during a call", () => {
  const atVoicemail = buildCall({
    state: "in_progress",
    answeredBy: "machine",
    message: { name: "Call me back", state: "ready" },
  });

  it("are left with one press while a voicemail is on the line", async () => {
    let asked = "";
    server.use(
      replyTo(leaveMessage, ({ params }) => {
        asked = String(params.id);
        return { ...atVoicemail, message: { name: "Call me back", state: "leaving" as const } };
      }),
    );
    const { user } = renderApp(<LeaveMessage call={atVoicemail} />);
    expect(screen.getByRole("status").textContent).toContain("“Call me back”");
    await user.click(screen.getByRole("button", { name: "Leave message" }));
    await waitFor(() => expect(asked).toBe("31"));
  });

  it("show the reason of a refusal", async () => {
    server.use(refuse(leaveMessage, "message_refused", "Recorded messages are switched off."));
    const { user } = renderApp(<LeaveMessage call={atVoicemail} />);
    await user.click(screen.getByRole("button", { name: "Leave message" }));
    expect(await screen.findByText("Recorded messages are switched off.")).toBeDefined();
  });

  it.each([
    ["leaving", /Leaving your message/],
    ["left", /was left\./],
    ["not_whole", /not left whole/],
  ] as const)("are reported as %s, without a button", (state, words) => {
    renderApp(<LeaveMessage call={buildCall({ message: { name: "Call me back", state } })} />);
    expect(screen.getByRole("status").textContent).toMatch(words);
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("are not offered when a person answered", () => {
    renderApp(<LeaveMessage call={buildCall({ state: "in_progress", answeredBy: "person" })} />);
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("recorded messages in Settings", () => {
  const open = () => {
    const focus = { current: null };
    return renderApp(<VoicemailMessagesDialog onClose={() => undefined} returnFocusTo={focus} />);
  };

  it("are listed by language, can be played, made the default and deleted", async () => {
    const said: unknown[] = [];
    server.use(
      replyTo(listVoicemailMessages, {
        isOn: true,
        messages: [
          build(),
          build({ id: 2, name: "Hola", language: "es" }),
          build({ id: 3, name: "Other", isDefault: false }),
        ],
        recording: null,
      }),
      replyTo(updateVoicemailMessage, ({ params, body }) => {
        said.push([params.id, body]);
        return build({ id: 3 });
      }),
      replyTo(deleteVoicemailMessage, ({ params }) => {
        said.push(["deleted", params.id]);
        return { message: "" };
      }),
    );
    const { user } = open();
    const english = within(await screen.findByRole("region", { name: "English" }));
    expect(english.getAllByRole("listitem")).toHaveLength(2);
    expect(english.getAllByRole("button", { name: "Play recording" })).toHaveLength(2);
    expect(within(screen.getByRole("region", { name: "Spanish" })).getAllByText("Hola")).not.toEqual([]);
    await user.click(english.getByRole("button", { name: "Make default: Other" }));
    await user.click(english.getByRole("button", { name: "Delete Other" }));
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await waitFor(() =>
      expect(said).toEqual([
        ["3", { isDefault: true }],
        ["deleted", "3"],
      ]),
    );
  });

  it("are uploaded with name and language, and are reported as switched off", async () => {
    let sent: string | null = null;
    server.use(
      replyTo(uploadVoicemailMessage, ({ request }) => {
        sent = `${new URL(request.url).search} ${request.headers.get("content-type")}`;
        return build();
      }),
    );
    const { user } = open();
    expect(await screen.findByText(/Recorded messages are off/)).toBeDefined();
    await user.click(screen.getByRole("button", { name: "New message" }));
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "Hello");
    await user.click(screen.getByRole("radio", { name: /Upload a file/ }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Choose a file first.")).toBeDefined();
    await user.upload(
      screen.getByLabelText("Sound file"),
      new File(["RIFF"], "hello.wav", { type: "audio/wav" }),
    );
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(sent).toBe("?name=Hello&language=en audio/wav"));
  });

  it("are recorded by phone, with the progress above the list", async () => {
    let sent: unknown;
    const recording = {
      id: 1,
      name: "Hello",
      language: "en" as const,
      state: "calling" as const,
      failure: null,
    };
    server.use(
      replyTo(recordVoicemailMessage, ({ body }) => {
        sent = body;
        server.use(replyTo(listVoicemailMessages, { isOn: true, messages: [], recording }));
        return recording;
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "New message" }));
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "Hello");
    await user.click(screen.getByRole("button", { name: "Ring my phone" }));
    expect(await screen.findByText(/Your phone rings to record “Hello”/)).toBeDefined();
    expect(sent).toEqual({ name: "Hello", language: "en" });
  });

  it("show why a recording failed", async () => {
    const recording = {
      id: 1,
      name: "Hello",
      language: "en" as const,
      state: "failed" as const,
      failure: "silent" as const,
    };
    server.use(replyTo(listVoicemailMessages, { isOn: true, messages: [], recording }));
    open();
    expect(await screen.findByText(/nothing was said/)).toBeDefined();
  });
});
