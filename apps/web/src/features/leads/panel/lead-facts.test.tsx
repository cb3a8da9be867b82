import { getLeadRegion } from "@portal/contract/routes/leads";
import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderApp } from "../../../testing/render.tsx";
import { replyTo, server } from "../../../testing/server.ts";
import { LeadRegion } from "./lead-facts.tsx";

it("shows state and time zone of the contact in GHL beside the number's, and nothing if GHL has neither", async () => {
  let asked = 0;
  server.use(
    replyTo(getLeadRegion, ({ params }) => {
      asked += 1;
      return params.id === "7"
        ? { crmState: "FL", crmTimeZone: "America/New_York", numberTimeZones: ["America/Chicago"] }
        : { crmState: null, crmTimeZone: null, numberTimeZones: ["America/Chicago"] };
    }),
  );
  renderApp(
    <>
      <LeadRegion leadId={7} />
      <LeadRegion leadId={8} />
    </>,
  );
  expect(await screen.findAllByRole("heading", { name: "Where hours and limits come from" })).toHaveLength(1);
  await waitFor(() => expect(asked).toBe(2));
  const words = screen.getAllByRole("definition").map(({ textContent }) => textContent);
  expect(words).toEqual(["FL", "America/New York", "America/Chicago"]);
});
