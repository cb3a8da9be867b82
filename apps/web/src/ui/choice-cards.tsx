import { type ReactNode, useId } from "react";
import { cn } from "../lib/cn.ts";

interface ChoiceCardsProps<V extends string> {
  value: V | undefined;
  onChange: (value: V) => void;
  choices: readonly { value: V; label: ReactNode; hint: ReactNode }[];
  /** Layout of the cards. */
  className?: string;
}

/** A radio choice with a description for each option. Needs a name: a `fieldset` around it with a legend. */
export function ChoiceCards<V extends string>({ value, onChange, choices, className }: ChoiceCardsProps<V>) {
  const name = useId();
  return (
    <div className={cn("grid gap-2", className)}>
      {choices.map(({ value: own, label, hint }) => (
        <label
          key={own}
          className={cn(
            "flex cursor-pointer items-start gap-3 rounded-xl border bg-surface px-3.5 py-2.5 transition-colors hover:bg-muted has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
            own === value && "border-primary bg-primary-soft hover:bg-primary-soft",
          )}
        >
          <input
            type="radio"
            name={name}
            checked={own === value}
            onChange={() => onChange(own)}
            className="mt-0.5 size-4.5 shrink-0 accent-primary pointer-coarse:mt-0 pointer-coarse:size-6 focus-visible:outline-none"
          />
          <span className="grid min-w-0">
            <span className="break-words font-medium text-sm leading-5">{label}</span>
            <span className="text-muted-foreground text-xs leading-4.5">{hint}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
