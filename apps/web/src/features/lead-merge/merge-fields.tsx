import {
  type MergeField,
  type MergeLead,
  type MergePreview,
  type MergeSide,
  mergeSides,
} from "@portal/contract/entities/lead-merge";
import { useId } from "react";
import { cn } from "../../lib/cn.ts";
import { formatLongDate, formatMoney, formatPhone } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { mergeMessages } from "./messages.ts";

/** Returns a lead's value of a field as text; null if empty. */
function useValueText() {
  const t = useMessages(mergeMessages);
  const label = useMessages(leadLabelMessages);
  return (lead: MergeLead, field: MergeField): string | null => {
    switch (field) {
      case "contact":
        return lead.ghlContactId && t("contactOf", { name: lead.name });
      case "phone":
        return lead.phone && formatPhone(lead.phone);
      case "dealValue":
        return lead.dealValue === null ? null : formatMoney(lead.dealValue);
      case "status":
        return label(lead.status);
      case "priority":
        return label(lead.priority);
      case "followUp":
        return (
          lead.nextFollowUpDate &&
          [formatLongDate(lead.nextFollowUpDate), lead.nextFollowUpTime].filter(Boolean).join(", ")
        );
      case "assignedTo":
        return lead.assignedTo === null ? t("unassigned") : lead.salesRepName;
      default:
        return lead[field];
    }
  };
}

interface MergeFieldsProps {
  preview: MergePreview;
  onChoose: (field: MergeField, side: MergeSide) => void;
}

/** Both leads side by side, with a choice for each differing field. */
export function MergeFields({ preview, onChoose }: MergeFieldsProps) {
  const t = useMessages(mergeMessages);
  const textOf = useValueText();
  // Two CRM contacts are always different.
  const differs = (field: MergeField) =>
    field === "contact"
      ? preview.kept.ghlContactId !== null && preview.other.ghlContactId !== null
      : textOf(preview.kept, field) !== textOf(preview.other, field);
  const shown = preview.fields.filter(({ field }) => differs(field));
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 gap-2">
        {mergeSides.map((side) => (
          <p key={side} className="min-w-0 text-sm [overflow-wrap:anywhere]">
            <span className="block font-semibold">{preview[side].name}</span>
            <span className="text-muted-foreground text-xs">
              {t("since", { date: formatLongDate(preview[side].createdAt) })}
            </span>
          </p>
        ))}
      </div>
      {shown.map(({ field, side, fixed }) => (
        <FieldLine
          key={field}
          legend={t(`field_${field}`)}
          hint={fixed ? t(field === "status" ? "fixedClient" : "fixed") : null}
          values={{ kept: textOf(preview.kept, field), other: textOf(preview.other, field) }}
          side={side}
          onChoose={(chosen) => onChoose(field, chosen)}
        />
      ))}
      <p className="text-muted-foreground text-sm">{t("same")}</p>
    </div>
  );
}

interface FieldLineProps {
  legend: string;
  /** Why there is no choice, or null. */
  hint: string | null;
  values: Record<MergeSide, string | null>;
  side: MergeSide;
  onChoose: (side: MergeSide) => void;
}

function FieldLine({ legend, hint, values, side, onChoose }: FieldLineProps) {
  const t = useMessages(mergeMessages);
  const name = useId();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">
        {legend}
        {hint ? <span className="font-normal text-muted-foreground"> · {hint}</span> : null}
      </legend>
      <div className="grid grid-cols-2 gap-2">
        {mergeSides.map((own) => (
          <label
            key={own}
            className={cn(
              "flex min-h-9 min-w-0 items-center gap-2 rounded-lg border px-2.5 py-1.5 text-sm has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2 pointer-coarse:min-h-11",
              own === side && "border-primary bg-primary-soft",
              hint ? "cursor-default" : "cursor-pointer",
            )}
          >
            <input
              type="radio"
              name={name}
              checked={own === side}
              disabled={hint !== null}
              onChange={() => onChoose(own)}
              className="size-4 shrink-0 accent-primary focus-visible:outline-none"
            />
            <span className={cn("min-w-0 [overflow-wrap:anywhere]", !values[own] && "text-muted-foreground")}>
              {values[own] ?? t("nothing")}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
