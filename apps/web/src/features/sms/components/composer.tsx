import type { Lead } from "@portal/contract/entities/lead";
import type { ContactRefusal } from "@portal/contract/errors";
import { limits } from "@portal/contract/limits";
import { smsSegments, withoutAccents } from "@portal/contract/sms-segments";
import { unfilledField } from "@portal/contract/sms-template";
import { Clock, Lock, MessageSquareQuote, Send } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { ContactRefusalLine } from "../../telephony/call/contact-refusal-line.tsx";
import { scheduledMessages, smsMessages, templateMessages } from "../messages.ts";
import type { useSendSms } from "../queries.ts";
import { ScheduleForm } from "../scheduled/scheduled-list.tsx";
import { TemplateList } from "../templates/template-list.tsx";
import { useTemplatePicker } from "../templates/use-template-picker.ts";
import { readDraft, saveDraft } from "../thread-state.ts";
import { useSmsRefusal } from "../use-sms-refusal.ts";

/** Refusals that apply now but not to an SMS scheduled for later. */
const passing: readonly ContactRefusal[] = ["outside_hours", "attempt_cap", "rep_cap"];

interface ComposerProps {
  lead: Lead;
  send: ReturnType<typeof useSendSms>;
  autoFocus: boolean;
}

/**
 * Composes an SMS: Enter sends, or schedules while a day and time are asked for; a slash opens templates, a counter shows length and
 * segments; disabled with the reason if the lead may not be texted.
 */
export function Composer({ lead, send, autoFocus }: ComposerProps) {
  const t = useMessages(smsMessages);
  const words = useMessages(templateMessages);
  const refusal = useSmsRefusal(lead);
  const [typed, setTyped] = useState(() => readDraft(lead.id));
  const [override, setOverride] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  // The template that the text was made from, until it is sent or cleared.
  const [madeOf, setMadeOf] = useState<number>();
  const unfilledId = useId();
  const [isLater, setLater] = useState(false);
  const laterForm = useRef<HTMLFormElement>(null);
  const text = typed.trim();
  // An SMS can still be scheduled if only the hour is refused.
  const isBlocked = refusal !== null && !override;
  const place = unfilledField(typed);
  const maySend = text !== "" && text.length <= limits.smsMaxLength && !send.isPending;

  const picker = useTemplatePicker({
    leadId: lead.id,
    field,
    typed,
    onPick: ({ template, text: body }, { start, end }) => {
      const next = typed.slice(0, start) + body + typed.slice(end);
      setMadeOf(template.versionId);
      // The selection refers to the new text, so it must be rendered first.
      flushSync(() => write(next));
      const gap = unfilledField(next);
      const caret = start + body.length;
      field.current?.focus();
      field.current?.setSelectionRange(gap?.start ?? caret, gap?.end ?? caret);
    },
  });

  function goToPlace(): void {
    field.current?.focus();
    if (place) field.current?.setSelectionRange(place.start, place.end);
  }

  /** The button for touch keyboards that inserts a slash. */
  function writeSlash(): void {
    const at = field.current?.selectionStart ?? typed.length;
    const gap = at === 0 || /\s$/.test(typed.slice(0, at)) ? "" : " ";
    flushSync(() => write(`${typed.slice(0, at)}${gap}/${typed.slice(at)}`));
    field.current?.focus();
    field.current?.setSelectionRange(at + gap.length + 1, at + gap.length + 1);
    picker.follow();
  }

  function write(next: string): void {
    setTyped(next);
    if (next.trim() === "") setMadeOf(undefined);
    saveDraft(lead.id, next);
  }

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (!maySend || isBlocked) return;
    if (place) {
      goToPlace();
      return;
    }
    const before = typed;
    // The draft is stored until the server has the SMS, and restored after a refusal.
    setTyped("");
    send.mutate(
      { message: text, overrideReason: override, templateVersionId: madeOf },
      {
        onSuccess: ({ status }) => {
          setOverride(undefined);
          setMadeOf(undefined);
          setLater(false);
          if (status === "failed") write(before);
        },
        onError: () => write(before),
      },
    );
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (picker.onKeyDown(event)) return;
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (isLater) laterForm.current?.requestSubmit();
    else submit();
  }

  if (isBlocked && !isLater) {
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
          {passing.includes(refusal.refusal) ? (
            <LaterButton isOn={false} onPress={() => setLater(true)} />
          ) : null}
        </div>
      </div>
    );
  }
  return (
    <div>
      {isLater ? (
        <ScheduleForm
          ref={laterForm}
          lead={lead}
          text={text}
          templateVersionId={madeOf}
          mayGo={() => {
            if (place) goToPlace();
            return !place;
          }}
          onDone={() => {
            write("");
            setLater(false);
            field.current?.focus();
          }}
        />
      ) : null}
      <form onSubmit={submit} className="grid grid-cols-1 gap-2 rounded-b-2xl border-t px-5 py-4 sm:px-6">
        {refusal ? <p className="text-warning-text text-xs">{refusal.message}</p> : null}
        {picker.isOpen ? <TemplateList picker={picker} /> : null}
        <div className="flex items-end gap-2">
          <Textarea
            ref={field}
            data-act="text"
            autoFocus={autoFocus}
            rows={2}
            dir="auto"
            aria-label={t("message")}
            aria-describedby={place ? `${unfilledId} ${hint}` : hint}
            aria-invalid={place ? true : undefined}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={picker.isOpen ? picker.listId : undefined}
            aria-activedescendant={picker.options.length > 0 ? picker.optionId(picker.active) : undefined}
            placeholder={t("placeholder")}
            maxLength={limits.smsMaxLength}
            readOnly={send.isPending}
            value={typed}
            onChange={(event) => {
              write(event.target.value);
              picker.follow();
            }}
            onSelect={picker.follow}
            onKeyDown={onKeyDown}
            className="max-h-40 min-h-16 resize-none"
          />
          <Button
            type="submit"
            variant={isLater ? "secondary" : "primary"}
            aria-label={t("send")}
            pending={send.isPending}
            disabled={!maySend || isBlocked}
          >
            {send.isPending ? null : <Send aria-hidden />}
            <span className="max-sm:sr-only">{send.isPending ? t("sending") : t("send")}</span>
          </Button>
        </div>
        {place ? (
          <p id={unfilledId} role="alert" className="text-danger-text text-xs">
            {words("unfilled", { field: words(`field_${place.name}`) })}{" "}
            <Button variant="link" size="sm" className="h-auto px-0 text-xs" onClick={goToPlace}>
              {words("toPlace")}
            </Button>
          </p>
        ) : null}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground text-xs">
          <Button
            variant="link"
            size="sm"
            className="h-auto gap-1 px-0 text-xs pointer-coarse:min-h-11"
            title={words("hint")}
            onClick={writeSlash}
          >
            <MessageSquareQuote aria-hidden className="size-3.5!" />
            {words("templates")}
          </Button>
          <LaterButton isOn={isLater} onPress={() => setLater(!isLater)} />
          <div id={hint} className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4 gap-y-1">
            <SegmentMeter text={typed} keys={t(isLater ? "laterKeys" : "keys")} onReplace={write} />
          </div>
        </div>
      </form>
    </div>
  );
}

/** Shows or hides the day and time for sending. */
function LaterButton({ isOn, onPress }: { isOn: boolean; onPress: () => void }) {
  const t = useMessages(scheduledMessages);
  return (
    <Button
      variant="link"
      size="sm"
      className="h-auto gap-1 px-0 text-xs pointer-coarse:min-h-11"
      aria-expanded={isOn}
      onClick={onPress}
    >
      <Clock aria-hidden className="size-3.5!" />
      {t("later")}
    </Button>
  );
}

interface SegmentMeterProps {
  text: string;
  /** What the keys do. */
  keys: string;
  onReplace: (text: string) => void;
}

/** Length and segments; if accents increase the segments, offers the text without them. */
function SegmentMeter({ text, keys, onReplace }: SegmentMeterProps) {
  const t = useMessages(smsMessages);
  const { encoding, segments } = smsSegments(text.trim());
  const plain = withoutAccents(text);
  const plainSegments = smsSegments(plain.trim()).segments;
  const isShortened = encoding === "UCS-2" && segments > 1;
  return (
    <>
      {plainSegments < segments ? (
        <Button
          variant="link"
          size="sm"
          className="h-auto whitespace-normal px-0 text-left text-xs"
          onClick={() => onReplace(plain)}
        >
          {t("withoutAccents", { count: plainSegments })}
        </Button>
      ) : isShortened ? (
        <span>{t("unicode")}</span>
      ) : (
        <span className="pointer-coarse:hidden">{keys}</span>
      )}
      <span className="ml-auto tabular-nums">
        {t("counter", { used: String(text.length), max: String(limits.smsMaxLength) })}
        {segments > 0 ? ` · ${t("segments", { count: segments })}` : null}
      </span>
    </>
  );
}
