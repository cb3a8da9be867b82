import { Check, ChevronDown } from "lucide-react";
import * as SelectPrimitive from "radix-ui/select";
import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";
import { controlClasses } from "./input.tsx";

export interface SelectOption<V extends string> {
  value: V;
  label: string;
}

interface SelectProps<V extends string>
  extends Omit<ComponentProps<typeof SelectPrimitive.Trigger>, "value" | "onChange"> {
  value: V;
  onValueChange: (value: V) => void;
  options: readonly SelectOption<V>[];
}

/** A list to pick one value from. Needs a name: through `Field`, or `aria-label`. Values may not be ''. */
export function Select<V extends string>({
  value,
  onValueChange,
  options,
  disabled,
  className,
  ...props
}: SelectProps<V>) {
  return (
    <SelectPrimitive.Root
      value={value}
      onValueChange={(next) => onValueChange(next as V)}
      disabled={disabled ?? false}
    >
      <SelectPrimitive.Trigger
        className={cn(
          controlClasses,
          "flex h-9 items-center justify-between gap-2 pointer-coarse:h-11 [&>span]:truncate",
          className,
        )}
        {...props}
      >
        <SelectPrimitive.Value />
        <SelectPrimitive.Icon asChild>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        </SelectPrimitive.Icon>
      </SelectPrimitive.Trigger>
      <SelectPrimitive.Portal>
        <SelectPrimitive.Content
          position="popper"
          sideOffset={4}
          className="data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) origin-(--radix-select-content-transform-origin) overflow-hidden rounded-lg border bg-surface text-foreground shadow-float data-[state=open]:animate-in data-[state=open]:duration-100"
        >
          <SelectPrimitive.Viewport className="p-1">
            {options.map((option) => (
              <SelectPrimitive.Item
                key={option.value}
                value={option.value}
                className="relative flex min-h-8 cursor-default select-none items-center rounded-md py-1.5 pr-8 pl-2.5 text-sm outline-none data-[highlighted]:bg-muted pointer-coarse:min-h-11"
              >
                <SelectPrimitive.ItemText>{option.label}</SelectPrimitive.ItemText>
                <SelectPrimitive.ItemIndicator className="absolute right-2.5">
                  <Check aria-hidden className="size-4 text-primary-text" />
                </SelectPrimitive.ItemIndicator>
              </SelectPrimitive.Item>
            ))}
          </SelectPrimitive.Viewport>
        </SelectPrimitive.Content>
      </SelectPrimitive.Portal>
    </SelectPrimitive.Root>
  );
}
