import { Check, Copy } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useMessages } from "../lib/i18n.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";
import { uiMessages } from "./messages.ts";

interface CopyFieldProps {
  label: string;
  value: string;
  hint?: ReactNode;
}

/** A text with a button that copies it; if the browser refuses (plain http), the text is selected. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  const t = useMessages(uiMessages);
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"idle" | "copied" | "selected">("idle");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setState("copied");
    } catch {
      input.current?.select();
      setState("selected");
    }
  }
  return (
    <Field label={label} hint={state === "selected" ? t("copyFailed") : hint}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            ref={input}
            readOnly
            value={value}
            className="min-w-0 flex-1 font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          <Button
            variant="secondary"
            aria-label={t("copyOf", { label })}
            onClick={() => void copy()}
            onBlur={() => setState("idle")}
          >
            {state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
            <span aria-live="polite">{t(state === "copied" ? "copied" : "copy")}</span>
          </Button>
        </div>
      )}
    </Field>
  );
}
