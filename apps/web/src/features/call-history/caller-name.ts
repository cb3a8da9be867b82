import type { CallLog } from "@portal/contract/entities/call";
import { formatPhone } from "../../lib/format.ts";
import type { Translate } from "../../lib/i18n.ts";
import type { historyTexts } from "./texts.ts";

/** Whose call it was: the lead's name, or 'Lead #id' (specification §2); of a stranger the number, where it was not withheld. */
export function callerName(
  { leadId, leadName, callerNumber }: Pick<CallLog, "leadId" | "leadName" | "callerNumber">,
  t: Translate<typeof historyTexts.pairs>,
): string {
  if (leadId !== null) return leadName || t("leadNumber", { id: leadId });
  return callerNumber ? formatPhone(callerNumber) : t("withheld");
}
