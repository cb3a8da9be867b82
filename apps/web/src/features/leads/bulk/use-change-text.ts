import type { BulkChange } from "@portal/contract/entities/bulk-change";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { bulkMessages } from "./messages.ts";
import { countOf } from "./queries.ts";

/** Number of spared leads that are named; all are listed under 'Changes made together'. */
const namesShown = 3;

/** A bulk change as text: what it did, and the results. */
export function useChangeText(change: BulkChange): { title: string; facts: string[] } {
  const t = useMessages(bulkMessages);
  const label = useMessages(leadLabelMessages);
  const { kind, value } = change;
  const isText = kind === "text";
  const undone = countOf(change, "undone");
  const spared = countOf(change, "spared");
  const sent = countOf(change, "sent", "sending");
  const waiting = countOf(change, "waiting");
  const left = countOf(change, "left_out");
  const say = (key: "sent" | "waiting" | "leftOut" | "undone" | "undoneText", count: number) =>
    count > 0 ? t(key, { count, n: formatNumber(count) }) : null;
  const sparedNames = change.groups
    .filter(({ state }) => state === "spared")
    .flatMap(({ leads }) => leads.map((lead) => lead.name));
  const shownNames = sparedNames.slice(0, namesShown).join(", ");
  const names =
    spared > namesShown ? `${shownNames} ${t("more", { count: spared - namesShown })}` : shownNames;
  const done = countOf(change, "changed", "undone", "spared", "sent", "sending", "waiting");
  const name = kind === "status" || kind === "priority" ? label(value as LeadStatus | Priority) : value;
  const facts = [
    say(isText ? "undoneText" : "undone", undone),
    spared > 0 ? t("spared", { count: spared, n: formatNumber(spared), names }) : null,
    say("sent", sent),
    say("waiting", waiting),
    say("leftOut", left),
  ];
  return {
    title: t(`did_${kind}`, { count: done, n: formatNumber(done), value: name }),
    facts: facts.filter((fact) => fact !== null),
  };
}
