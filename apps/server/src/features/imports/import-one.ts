import { AppError } from "../../http/app-error.ts";
import { createRecordReader } from "../../values/read-lead-record.ts";
import { recordAudit } from "../audit/service.ts";
import { takeLeads } from "../leads/take-lead.ts";
import type { ImportsContext, Sender } from "./service.ts";

const source = "API Import";

/** Takes one free-form record in; a lead that is there already is left as it is. Errors: `invalid` with the reason. */
export async function importOneLead(
  context: ImportsContext,
  { record, sender }: { record: Record<string, unknown>; sender: Sender },
): Promise<{ outcome: "created" | "skipped"; leadId: number }> {
  const { lead, faults } = createRecordReader({ country: context.defaultCountry })(record);
  if (faults.length > 0) throw new AppError("invalid", `${faults.join("; ")}.`);
  return context.database.transaction(async (tx) => {
    const [taken] = await takeLeads(tx, [{ ...lead, leadSource: lead.leadSource || source }], {
      jobs: context.jobs,
      defaultCountry: context.defaultCountry,
      from: { kind: "import", data: { source } },
      assignTo: sender?.role === "consultant" ? sender.userId : null,
      known: "skip",
      actor: sender,
    });
    if (!taken) throw new Error("nothing became of a lead");
    const { leadId } = taken;
    const outcome = taken.outcome === "created" ? "created" : "skipped";
    await recordAudit(tx, {
      userId: sender?.userId ?? null,
      action: "import",
      subject: `lead:${leadId}`,
      data: { source, outcome },
    });
    return { outcome, leadId };
  });
}
