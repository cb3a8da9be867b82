import type { DialerSource } from "@portal/contract/entities/dialer";
import { useId } from "react";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { setupTexts } from "../setup-texts.ts";

export type SourceKind = DialerSource["kind"];

interface SourcePickerProps {
  value: SourceKind;
  onChange: (kind: SourceKind) => void;
  /** Cards chosen on the leads page. */
  selected: number;
}

/** The four sources of a session as cards; the chosen leads only where there are any. */
export function SourcePicker({ value, onChange, selected }: SourcePickerProps) {
  const t = useTexts(setupTexts);
  const name = useId();
  const sources: { kind: SourceKind; hint: string }[] = [
    ...(selected > 0
      ? [{ kind: "selection" as const, hint: t("source_selectionHint", { count: selected }) }]
      : []),
    { kind: "filter", hint: t("source_filterHint") },
    { kind: "follow_ups", hint: t("source_follow_upsHint") },
    { kind: "call_back", hint: t("source_call_backHint") },
  ];
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium text-[0.8125rem] leading-5">{t("source")}</legend>
      <div className={cn("grid gap-2", sources.length === 3 ? "sm:grid-cols-3" : "sm:grid-cols-2")}>
        {sources.map(({ kind, hint }) => (
          <label
            key={kind}
            className={cn(
              "flex cursor-pointer items-start gap-3 rounded-xl border bg-surface px-3.5 py-2.5 transition-colors hover:bg-muted has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
              kind === value && "border-primary bg-primary-soft hover:bg-primary-soft",
            )}
          >
            <input
              type="radio"
              name={name}
              checked={kind === value}
              onChange={() => onChange(kind)}
              className="mt-1 size-4 accent-primary pointer-coarse:mt-0 pointer-coarse:size-6 focus-visible:outline-none"
            />
            <span className="grid gap-0.5">
              <span className="font-medium text-sm leading-5">{t(`source_${kind}`)}</span>
              <span className="text-muted-foreground text-xs leading-4.5">{hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
