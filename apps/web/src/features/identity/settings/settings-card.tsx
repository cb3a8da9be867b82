import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Switch } from "../../../ui/switch.tsx";

interface SettingsCardProps {
  title: string;
  description: string;
  saveLabel: string;
  isPending: boolean;
  isDisabled?: boolean;
  onSave: () => void;
  children: ReactNode;
}

/** A section of the settings that is saved as one: nothing changes before. */
export function SettingsCard(props: SettingsCardProps) {
  const { title, description, saveLabel, isPending, isDisabled = false, onSave, children } = props;
  const titleId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending && !isDisabled) onSave();
  };
  return (
    <Card aria-labelledby={titleId}>
      <form noValidate onSubmit={submit}>
        <CardHeader>
          <CardTitle id={titleId}>{title}</CardTitle>
          <CardDescription>{description}</CardDescription>
        </CardHeader>
        <CardContent className="grid gap-5">{children}</CardContent>
        <CardFooter>
          <Button type="submit" variant="secondary" disabled={isDisabled} pending={isPending}>
            {saveLabel}
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}

interface ToggleRowProps {
  label: string;
  hint: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that is on or off, and what it does. */
export function ToggleRow({ label, hint, checked, disabled, onChange }: ToggleRowProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="grid gap-0.5">
        <p id={`${id}-label`} className="font-medium text-sm">
          {label}
        </p>
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground">
          {hint}
        </p>
      </div>
      <Switch
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
      />
    </div>
  );
}
