import type { NextTry as NextTryOfLead } from "@portal/contract/entities/retry";
import { decideNextTry, getNextTry } from "@portal/contract/routes/retry-rules";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { formatSoon } from "../../../lib/format.ts";
import { buildLead } from "../../../testing/lead-builders.ts";
import { renderApp } from "../../../testing/render.tsx";
import { replyTo, server } from "../../../testing/server.ts";
import { NextTry } from "./next-try.tsx";

const lead = buildLead({ id: 7, attempts: 3, lastAttemptAt: "2026-06-10T10:00:00.000Z" });
const asks: NextTryOfLead = {
  kind: "asks",
  until: null,
  timeZone: "America/New_York",
  rule: { outcome: "no_answer", tries: 4, of: 4 },
};

it("shows why and until when a lead is not called again, and lets the consultant decide", async () => {
  let next: NextTryOfLead = asks;
  const decisions: unknown[] = [];
  server.use(
    replyTo(getNextTry, () => next),
    replyTo(decideNextTry, ({ body }) => {
      decisions.push((body as { decision: string }).decision);
      next = { ...asks, kind: "resting", until: "2026-07-10T10:00:00.000Z", rule: null };
      return next;
    }),
  );
  renderApp(<NextTry lead={lead} withDecision />);
  const user = userEvent.setup();
  expect(await screen.findByText(/No more tries by the rules: you decide · No Answer, 4 tries/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Rest 30 days" }));
  await waitFor(() => expect(decisions).toEqual(["rest"]));
  expect(await screen.findByText(/^Rests until Fri, Jul 10/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Rest 30 days" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(decisions).toEqual(["rest", "again"]));
});

it.each([
  ["2026-07-10T10:00:00.000Z", formatSoon("2026-07-10T10:00:00.000Z")],
  [null, "Jul 10, 2026"],
])(
  "shows the lead's follow-up, with a time only if it has one (%s), while the rules still know an earlier one",
  async (nextFollowUpAt, when) => {
    server.use(
      replyTo(getNextTry, {
        ...asks,
        kind: "promised" as const,
        until: "2026-07-08T04:00:00.000Z",
        rule: null,
      }),
    );
    renderApp(<NextTry lead={{ ...lead, nextFollowUpDate: "2026-07-10T12:00:00.000Z", nextFollowUpAt }} />);
    expect(await screen.findByText(`Follow-up planned: ${when}`)).toBeTruthy();
  },
);

it("shows nothing for a lead whose next try is due, and sends no request for one that was never called", async () => {
  let asked = 0;
  server.use(
    replyTo(getNextTry, () => {
      asked += 1;
      return { ...asks, kind: "due" as const, rule: null };
    }),
  );
  const { container } = renderApp(
    <>
      <NextTry lead={lead} />
      <NextTry lead={buildLead({ id: 8, attempts: 0 })} />
    </>,
  );
  await waitFor(() => expect(asked).toBe(1));
  expect(container.textContent).not.toContain("tries");
});
