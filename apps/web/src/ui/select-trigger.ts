import type { ComponentProps } from "react";
import { controlClasses } from "./input.tsx";

export interface SelectOption<V extends string> {
  value: V;
  label: string;
}

export interface SelectProps<V extends string>
  extends Omit<ComponentProps<"button">, "value" | "onChange" | "dir"> {
  value: V;
  onValueChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  /** Shown if the value is not one of the options. */
  placeholder?: string;
}

/** Style of the button that opens the list, the same before and after its code has loaded; for `cn`, which resolves conflicting classes. */
export const selectTriggerClasses = `${controlClasses} flex h-9 items-center justify-between gap-2 text-start pointer-coarse:h-11 pointer-coarse:text-sm [&>span]:truncate`;
