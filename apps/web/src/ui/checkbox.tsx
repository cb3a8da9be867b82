import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "../lib/cn.ts";

const boxClasses = "size-4.5 shrink-0 accent-primary";

type BoxProps = Omit<ComponentProps<"input">, "type" | "children">;

interface CheckboxFieldProps extends Omit<BoxProps, "onChange"> {
  onChange: (isChecked: boolean) => void;
  /** Smaller text below it. */
  hint?: ReactNode;
  /** Its label. */
  children: ReactNode;
}

/** A checkbox with a label beside it. */
export function CheckboxField({ hint, onChange, className, children, ...props }: CheckboxFieldProps) {
  const hintId = useId();
  const field = (
    <label
      className={cn(
        "flex min-h-8 w-fit max-w-full cursor-pointer items-center gap-2 text-sm has-disabled:cursor-default pointer-coarse:min-h-11",
        className,
      )}
    >
      <input
        type="checkbox"
        aria-describedby={hint ? hintId : undefined}
        onChange={({ target }) => onChange(target.checked)}
        className={boxClasses}
        {...props}
      />
      {children}
    </label>
  );
  if (!hint) return field;
  return (
    <div className="grid">
      {field}
      <p id={hintId} className="pl-6.5 text-[0.8125rem] text-muted-foreground">
        {hint}
      </p>
    </div>
  );
}

const ignore = () => undefined;

interface SelectBoxProps extends BoxProps {
  /** Name of what it selects. */
  "aria-label": string;
  /** Only a part is selected. */
  isPartly?: boolean;
  /** Ignores presses and keeps the focus, unlike `disabled`. */
  isOff?: boolean | undefined;
}

/** A checkbox without a label that selects its row or card, with the size of a touch target (`className`). */
export function SelectBox({
  isPartly = false,
  isOff = false,
  className,
  title,
  onChange,
  ...props
}: SelectBoxProps) {
  return (
    <label title={title} className={cn("grid size-11 shrink-0 cursor-pointer place-items-center", className)}>
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = isPartly;
        }}
        aria-disabled={isOff || undefined}
        onChange={isOff ? ignore : onChange}
        className={cn(boxClasses, "aria-disabled:opacity-50")}
        {...props}
      />
    </label>
  );
}
