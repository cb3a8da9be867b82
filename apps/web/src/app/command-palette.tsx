import type { CurrentUser } from "@portal/contract/entities/user";
import { searchEverything } from "@portal/contract/routes/search";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import * as DialogPrimitive from "radix-ui/dialog";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import { openNewLead } from "../features/new-lead/open-new-lead.tsx";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import { keyDialog } from "../lib/keys.ts";
import { askLeadCommand, type LeadCommand, type LeadInHand } from "../lib/lead-commands.ts";
import { openLead } from "../lib/lead-panel.ts";
import { routeQuery } from "../lib/query-client.ts";
import { DialogMark, overlayClasses, useReturnFocus } from "../ui/dialog.tsx";
import { FailureText } from "../ui/request-id.tsx";
import { type Found, type FoundGroup, type FoundOption, useFoundGroups } from "./found-groups.tsx";
import { paletteMessages } from "./palette-messages.ts";

/** With fewer letters nothing is searched. */
const fewestLetters = 2;
/** Results are always refetched, because they may have changed. */
const oftenAsked = { staleTime: 0, gcTime: 30_000 };
/** The server is queried once no key was pressed for this long, in ms. */
const restMs = 120;

interface CommandPaletteProps {
  user: CurrentUser;
  /** The lead whose panel was open, or whose row had the focus. */
  lead: LeadInHand | null;
  onAct: (lead: LeadInHand, act: LeadCommand) => void;
  onClose: () => void;
}

/** The typed text, after typing has paused. */
function useRested(typed: string): string {
  const [rested, setRested] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return typed === "" ? "" : rested;
}

/** Results for the typed words; those of earlier words stay until the newest arrive, and never replace them. */
function useAnswer(typed: string) {
  const words = typed.trim();
  const rested = useRested(words);
  const isWanted = words.length >= fewestLetters;
  const exact = useQuery({
    ...routeQuery(searchEverything, { query: { q: rested } }),
    enabled: rested.length >= fewestLetters,
    placeholderData: keepPreviousData,
    ...oftenAsked,
  });
  const isCurrent = rested === words && !exact.isPlaceholderData && !exact.isPending;
  // Only with few exact results, because it takes longer.
  const wantsSimilar = isWanted && isCurrent && exact.data?.hasFew === true;
  const similar = useQuery({
    ...routeQuery(searchEverything, { query: { q: rested, similar: "true" } }),
    enabled: wantsSimilar,
    ...oftenAsked,
  });
  const found = useMemo<Found>(
    () => ({
      answer: isWanted ? exact.data : undefined,
      similar: wantsSimilar ? similar.data : undefined,
    }),
    [isWanted, exact.data, wantsSimilar, similar.data],
  );
  return {
    found,
    error: isWanted ? (exact.error ?? similar.error) : null,
    isPending: isWanted && !isCurrent,
    isLooking: isWanted && (!isCurrent || (wantsSimilar && similar.isPending)),
  };
}

/**
 * A search over everything: leads, notes, SMS, calls, pages, and actions on the open lead. The focus stays in the field; arrow keys select.
 * While an option is selected the list does not change: new results wait for a press or the next letter.
 */
export default function CommandPalette({ user, lead, onAct, onClose }: CommandPaletteProps) {
  const t = useMessages(paletteMessages);
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const { found, error, isPending, isLooking } = useAnswer(typed);
  const [chosen, setChosen] = useState<{ id: string; held: Found } | null>(null);
  const [isEnterWaiting, setEnterWaiting] = useState(false);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const afterwards = useRef<(() => void) | null>(null);
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus();

  const groups = useFoundGroups({
    typed: typed.trim(),
    found: chosen ? chosen.held : found,
    user,
    lead,
  });
  const options = groups.flatMap(({ options }) => options);
  const active = options.find(({ id }) => id === chosen?.id) ?? options[0];
  const hasNewResults = chosen !== null && !isLooking && chosen.held !== found;
  const optionId = (id: string) => `${listId}-${id}`;

  function write(text: string): void {
    setTyped(text);
    setChosen(null);
    setEnterWaiting(false);
  }
  function choose(id: string): void {
    setChosen((now) => ({ id, held: now ? now.held : found }));
  }
  /** Closes first, so that the focus is back on the page when the action starts. */
  function run({ does }: FoundOption): void {
    afterwards.current = () => {
      if (does.kind === "page") void navigate({ to: does.to, search: does.search ?? {} });
      else if (does.kind === "act") onAct(does.lead, does.act);
      else if (does.kind === "newLead") openNewLead(does.phone ? { phone: does.phone } : {});
      else if (does.kind === "help") keyDialog.set("help");
      else {
        openLead(does.leadId);
        if (does.act) askLeadCommand(does.leadId, does.act);
      }
    };
    onClose();
  }
  useEffect(
    () => () => {
      // The dialog returns the focus in a task of its own.
      setTimeout(() => setTimeout(() => afterwards.current?.()));
    },
    [],
  );

  const onAnswer = useEffectEvent(() => {
    if (!isEnterWaiting || isPending) return;
    setEnterWaiting(false);
    // Enter pressed before the response opens a lead or a page; it never starts an action.
    const [first] = options;
    if (first && first.does.kind !== "act") run(first);
  });
  useEffect(() => {
    if (!isPending) onAnswer();
  }, [isPending]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (event.repeat) return;
      if (isPending && !chosen) setEnterWaiting(true);
      else if (active) run(active);
    }
    if (options.length === 0) return;
    const at = active ? options.indexOf(active) : 0;
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    const next = to[event.key];
    if (next !== undefined) {
      event.preventDefault();
      const target = options.at(next % options.length);
      if (!target) return;
      choose(target.id);
      document.getElementById(optionId(target.id))?.scrollIntoView?.({ block: "nearest" });
    }
  }

  const status = isLooking
    ? t("searching")
    : typed.trim().length >= fewestLetters && options.length === 0
      ? t("nothing", { typed: typed.trim() })
      : "";
  return (
    <DialogPrimitive.Root open onOpenChange={(open) => !open && onClose()}>
      <DialogPrimitive.Portal>
        <DialogPrimitive.Overlay className={overlayClasses} />
        <DialogPrimitive.Content
          data-dialog
          aria-describedby={undefined}
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fade-in-0 fixed top-[max(0.5rem,10dvh)] left-1/2 z-50 flex max-h-[min(36rem,calc(100dvh-1rem))] w-[calc(100vw-1rem)] max-w-2xl -translate-x-1/2 animate-in flex-col overflow-hidden rounded-2xl border bg-surface text-foreground shadow-float outline-none duration-100 max-sm:top-2"
        >
          <DialogPrimitive.Title className="sr-only">{t("title")}</DialogPrimitive.Title>
          <DialogMark open />
          <div className="flex items-center gap-3 border-b px-4">
            <Search aria-hidden className="size-4.5 shrink-0 text-muted-foreground" />
            <input
              role="combobox"
              aria-label={t("title")}
              aria-expanded={options.length > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={active ? optionId(active.id) : undefined}
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="go"
              maxLength={200}
              placeholder={t("placeholder")}
              value={typed}
              onChange={(event) => write(event.target.value)}
              onKeyDown={onKeyDown}
              className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted-foreground"
            />
          </div>
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={t("results")}
            aria-busy={isLooking}
            className={cn(
              "min-h-0 flex-1 overflow-y-auto overscroll-contain p-2",
              options.length === 0 && "hidden",
            )}
          >
            {groups.map((group) => (
              <Group
                key={group.id}
                group={group}
                active={active?.id ?? null}
                optionId={optionId}
                onPoint={choose}
                onRun={run}
              />
            ))}
          </div>
          <p
            role="status"
            className={cn(
              "px-4 py-3 text-muted-foreground text-sm",
              (!status || (isPending && options.length > 0)) && "sr-only",
            )}
          >
            {status}
          </p>
          {error ? <FailureText error={error} fallback={t("failed")} className="px-4 py-3 text-sm" /> : null}
          <div
            className={cn(
              "flex min-h-9 flex-wrap items-center gap-x-4 border-t px-4 py-1.5 text-muted-foreground text-xs",
              !hasNewResults && "pointer-coarse:hidden",
            )}
          >
            <span className="pointer-coarse:hidden">{t("keys")}</span>
            {hasNewResults ? (
              <button
                type="button"
                className="ml-auto min-h-6 text-primary-text underline underline-offset-4"
                onClick={() => setChosen(null)}
              >
                {t("newResults")}
              </button>
            ) : null}
          </div>
        </DialogPrimitive.Content>
      </DialogPrimitive.Portal>
    </DialogPrimitive.Root>
  );
}

interface GroupProps {
  group: FoundGroup;
  active: string | null;
  optionId: (id: string) => string;
  onPoint: (id: string) => void;
  onRun: (option: FoundOption) => void;
}

function Group({ group, active, optionId, onPoint, onRun }: GroupProps) {
  const label = optionId(`group-${group.id}`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form controls, not the options of a listbox.
    <div role="group" aria-labelledby={label} className="pb-1">
      <p id={label} className="flex gap-2 px-2.5 py-1.5 font-medium text-muted-foreground text-xs">
        {group.label}
        {group.count ? <span className="tabular-nums">{group.count}</span> : null}
      </p>
      {group.options.map((option) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys select.
        <div
          key={option.id}
          id={optionId(option.id)}
          role="option"
          tabIndex={-1}
          aria-selected={option.id === active}
          // A pointer that happens to be where the list opens selects nothing; one that moves does.
          onPointerMove={() => option.id !== active && onPoint(option.id)}
          onClick={() => onRun(option)}
          className={cn(
            "flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5 text-sm pointer-coarse:min-h-11",
            option.id === active && "bg-primary-soft",
          )}
        >
          {option.content}
        </div>
      ))}
    </div>
  );
}
