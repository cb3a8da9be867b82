import * as LabelPrimitive from "radix-ui/label";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "../lib/cn.ts";

/** Props for the control inside a `Field`. */
export interface FieldControlProps {
  /** Id of the control; its label's id is the same with `-label` appended. */
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** Shown below the control while there is no error. */
  hint?: ReactNode;
  /** Shown and announced instead of the hint; marks the control invalid. */
  error?: ReactNode;
  className?: string;
  children: (control: FieldControlProps) => ReactNode;
}

/** A labelled control with hint and error: `<Field label={…}>{(control) => <Input {...control} {...register("name")} />}</Field>`. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={cn("grid gap-1", className)}>
      <Label id={`${id}-label`} htmlFor={id}>
        {label}
      </Label>
      {children({
        id,
        "aria-describedby": note ? noteId : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {note ? (
        <p
          id={noteId}
          role={error ? "alert" : undefined}
          className={cn("text-[0.8125rem]", error ? "text-danger-text" : "text-muted-foreground")}
        >
          {note}
        </p>
      ) : null}
    </div>
  );
}

function Label({ className, ...props }: ComponentProps<typeof LabelPrimitive.Root>) {
  return (
    <LabelPrimitive.Root
      className={cn("select-none font-medium text-[0.8125rem] text-foreground leading-5", className)}
      {...props}
    />
  );
}
