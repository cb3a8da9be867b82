import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { smsSegments } from "@portal/contract/sms-segments";
import { Lock, Send } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { ContactRefusalLine } from "../../telephony/call/contact-refusal-line.tsx";
import { smsMessages } from "../messages.ts";
import type { useSendText } from "../queries.ts";
import { readDraft, saveDraft } from "../thread-state.ts";
import { useTextRefusal } from "../use-text-refusal.ts";

interface ComposerProps {
  lead: Lead;
  send: ReturnType<typeof useSendText>;
  autoFocus: boolean;
}

/** What is written next: Enter sends, the counter tells length and parts; locked with the reason where the lead may not be texted. */
export function Composer({ lead, send, autoFocus }: ComposerProps) {
  const t = useMessages(smsMessages);
  const refusal = useTextRefusal(lead);
  const [typed, setTyped] = useState(() => readDraft(lead.id));
  const [override, setOverride] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const text = typed.trim();
  const maySend = text !== "" && text.length <= limits.smsMaxLength && !send.isPending;

  function write(next: string): void {
    setTyped(next);
    saveDraft(lead.id, next);
  }

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (!maySend) return;
    const before = typed;
    // It stays in the draft until the server has it, and comes back where it was refused.
    setTyped("");
    send.mutate(
      { message: text, overrideReason: override },
      {
        onSuccess: ({ status }) => {
          setOverride(undefined);
          if (status === "failed") write(before);
        },
        onError: () => write(before),
      },
    );
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }

  if (refusal && !override) {
    const message = refusal.refusal === "opted_out" ? t("optedOut") : refusal.message;
    return (
      <div className="flex items-start gap-2.5 rounded-b-2xl border-t bg-muted px-5 py-4 sm:px-6">
        <Lock aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
        <div role="status" className="grid justify-items-start gap-1">
          <ContactRefusalLine
            id={hint}
            lead={lead}
            channel="text"
            refusal={refusal.refusal}
            message={message}
            onOverride={setOverride}
          />
        </div>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-1 gap-2 rounded-b-2xl border-t px-5 py-4 sm:px-6">
      {refusal ? <p className="text-warning-text text-xs">{refusal.message}</p> : null}
      <div className="flex items-end gap-2">
        <Textarea
          ref={field}
          autoFocus={autoFocus}
          rows={2}
          dir="auto"
          aria-label={t("message")}
          aria-describedby={hint}
          placeholder={t("placeholder")}
          maxLength={limits.smsMaxLength}
          readOnly={send.isPending}
          value={typed}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          className="max-h-40 min-h-16 resize-none"
        />
        <Button type="submit" aria-label={t("send")} pending={send.isPending} disabled={!maySend}>
          {send.isPending ? null : <Send aria-hidden />}
          <span className="max-sm:sr-only">{send.isPending ? t("sending") : t("send")}</span>
        </Button>
      </div>
      <div id={hint} className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-muted-foreground text-xs">
        <Counter text={typed} />
      </div>
    </form>
  );
}

/** Length and parts; from the second part on, why they are so short. */
function Counter({ text }: { text: string }) {
  const t = useMessages(smsMessages);
  const { encoding, segments } = smsSegments(text.trim());
  const isShortened = encoding === "UCS-2" && segments > 1;
  return (
    <>
      {isShortened ? <span>{t("unicode")}</span> : <span className="pointer-coarse:hidden">{t("keys")}</span>}
      <span className="ml-auto tabular-nums">
        {t("counter", { used: String(text.length), max: String(limits.smsMaxLength) })}
        {segments > 0 ? ` · ${t("segments", { count: segments })}` : null}
      </span>
    </>
  );
}
