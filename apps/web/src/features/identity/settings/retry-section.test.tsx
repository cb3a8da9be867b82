import { defaultRetryRules, type RetryCounts, type RetryRules } from "@portal/contract/entities/retry";
import { getRetryRules, previewRetryRules, saveRetryRules } from "@portal/contract/routes/retry-rules";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { renderApp } from "../../../testing/render.tsx";
import { errorReply, replyTo, server } from "../../../testing/server.ts";
import { RetrySection } from "./retry-section.tsx";

const counts = (some: Partial<RetryCounts> = {}): RetryCounts => ({
  due: 0,
  promised: 0,
  waiting: 0,
  waitingUntil: null,
  resting: 0,
  restingUntil: null,
  asks: 0,
  never: 0,
  ...some,
});
const saved: { rules: RetryRules; version: number }[] = [];
const previewed: RetryRules[] = [];

function serve() {
  saved.length = 0;
  previewed.length = 0;
  server.use(
    replyTo(getRetryRules, { rules: defaultRetryRules, version: 4 }),
    replyTo(previewRetryRules, ({ body }) => {
      previewed.push((body as { rules: RetryRules }).rules);
      return {
        groups: [
          {
            outcome: "no_answer" as const,
            before: counts({ due: 3, waiting: 9 }),
            after: counts({ due: 12 }),
          },
          { outcome: "busy" as const, before: counts(), after: counts() },
          { outcome: "others" as const, before: counts({ never: 2 }), after: counts({ never: 2 }) },
        ],
      };
    }),
    replyTo(saveRetryRules, ({ body }) => {
      const { rules, version } = body as { rules: RetryRules; version: number };
      saved.push({ rules, version });
      return { rules, version: version + 1 };
    }),
  );
}

async function openForm() {
  renderApp(<RetrySection />);
  const rule = await screen.findByRole("group", { name: "No Answer" });
  return { user: userEvent.setup(), rule };
}

describe("the retry rules", () => {
  it("show the effect of a change before it is saved, and send the version that was read", async () => {
    serve();
    const { user, rule } = await openForm();
    expect(screen.queryByRole("region", { name: "What this changes" })).toBeNull();
    const gap = within(rule).getByLabelText("Time between tries");
    await user.clear(gap);
    expect(screen.getByRole("alert").textContent).toBe("Enter a whole number from 1 to 365.");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save Retry Rules" }).ariaDisabled).toBe(
      "true",
    );
    await user.type(gap, "2");

    const preview = await screen.findByRole("region", { name: "What this changes" });
    const row = await within(preview).findByText("3 → 12");
    expect(row).toBeTruthy();
    expect(preview.textContent).toContain("Waiting9 → 0");
    expect(preview.textContent).toContain("Wrong or disconnected numberNever again2");
    expect(preview.textContent).not.toContain("Busy");
    expect(previewed.at(-1)?.no_answer.gap).toEqual({ amount: 2, unit: "hours" });
    expect(saved).toEqual([]);

    await user.click(screen.getByRole("button", { name: "Save Retry Rules" }));
    expect(await screen.findByText("The retry rules have been saved.")).toBeTruthy();
    const rules = {
      ...defaultRetryRules,
      no_answer: { ...defaultRetryRules.no_answer, gap: { amount: 2, unit: "hours" as const } },
    };
    expect(saved).toEqual([{ rules, version: 4 }]);
    await waitFor(() => expect(screen.queryByRole("region", { name: "What this changes" })).toBeNull());
  });

  it("keep unsaved input when another user saves first, and overwrite only on a second save", async () => {
    serve();
    const { user, rule } = await openForm();
    const theirs = {
      ...defaultRetryRules,
      busy: { ...defaultRetryRules.busy, attempts: 1 },
    };
    server.use(
      replyTo(getRetryRules, { rules: theirs, version: 5 }),
      replyTo(saveRetryRules, ({ body }) => {
        const sent = body as { rules: RetryRules; version: number };
        if (sent.version !== 5) return errorReply("changed_meanwhile", "Meanwhile");
        saved.push(sent);
        return { rules: sent.rules, version: 6 };
      }),
    );
    await user.click(within(rule).getByRole("switch", { name: "Another hour of the day each time" }));
    await user.click(screen.getByRole("button", { name: "Save Retry Rules" }));
    expect(await screen.findByText(/Someone else saved other rules meanwhile/)).toBeTruthy();
    const otherHour = within(rule).getByRole("switch", { name: "Another hour of the day each time" });
    expect(otherHour.ariaChecked).toBe("false");
    // Saving is pending until the other user's rules are loaded.
    await user.click(await screen.findByRole("button", { name: "Save Retry Rules" }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.rules.no_answer.otherHour).toBe(false);
  });
});
