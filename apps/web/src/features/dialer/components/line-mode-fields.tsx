import { type LineBrief, type LineMode, lineModes } from "@portal/contract/entities/line";
import { useMessages } from "../../../lib/i18n.ts";
import { ChoiceCards } from "../../../ui/choice-cards.tsx";
import { Field } from "../../../ui/field.tsx";
import { lineMessages } from "../line-messages.ts";
import { BriefSelect } from "./line-strip.tsx";

/** How a session calls its consultant. */
export interface LineChoice {
  lineMode: LineMode;
  brief: LineBrief;
}

export const recordedChoice: LineChoice = { lineMode: "each_call", brief: "short" };

interface LineModeFieldsProps {
  value: LineChoice;
  onChange: (choice: LineChoice) => void;
}

/** How a session calls its consultant: a ring for each lead, or one open line with a choice of briefs. */
export function LineModeFields({ value, onChange }: LineModeFieldsProps) {
  const t = useMessages(lineMessages);
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium text-[0.8125rem] leading-5">{t("mode")}</legend>
        <ChoiceCards
          value={value.lineMode}
          onChange={(lineMode) => onChange({ ...value, lineMode })}
          choices={lineModes.map((mode) => ({
            value: mode,
            label: t(`mode_${mode}`),
            hint: t(`mode_${mode}Hint`),
          }))}
          className="sm:grid-cols-2"
        />
      </fieldset>
      {value.lineMode === "open_line" ? (
        <Field label={t("brief")}>
          {(control) => (
            <BriefSelect
              {...control}
              value={value.brief}
              onChange={(brief) => onChange({ ...value, brief })}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}
