import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "../../../ui/card.tsx";

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
          <Button type="submit" disabled={isDisabled} pending={isPending}>
            {saveLabel}
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
