import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { cn } from "../lib/cn.ts";
import { errorText, requestIdOf } from "../lib/errors.ts";
import { useMessages } from "../lib/i18n.ts";
import { Button } from "./button.tsx";
import { uiMessages } from "./messages.ts";

/**
 * The id of a failed request, as in the server's log, copied by one press. Renders nothing if the server did not fail. If the browser
 * refuses to copy (plain http), the id is selected.
 */
export function RequestId({ error }: { error: unknown }) {
  const t = useMessages(uiMessages);
  const shown = useRef<HTMLSpanElement>(null);
  const [state, setState] = useState<"idle" | "copied" | "selected">("idle");
  const id = requestIdOf(error);
  if (id === null) return null;
  async function copy(value: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setState("copied");
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setState("selected");
    }
  }
  return (
    <Button
      variant="link"
      size="inline"
      className="relative z-1 text-xs"
      onClick={() => void copy(id)}
      onBlur={() => setState("idle")}
    >
      {state === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span>
        {t("requestId")}{" "}
        <span ref={shown} className="select-text font-mono [overflow-wrap:anywhere]">
          {id}
        </span>
        <span aria-live="polite">
          {state === "idle" ? null : ` · ${t(state === "copied" ? "copied" : "copyFailed")}`}
        </span>
      </span>
    </Button>
  );
}

interface FailureTextProps {
  error: unknown;
  /** Shown if the error has no text of its own. */
  fallback?: string;
  className?: string;
}

/** The text of a failed request, and its id if the server failed. */
export function FailureText({ error, fallback, className }: FailureTextProps) {
  return (
    <div role="alert" className={cn("grid justify-items-start gap-1 text-danger-text", className)}>
      <p>{errorText(error, fallback)}</p>
      <RequestId error={error} />
    </div>
  );
}
