import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { Inbox, MousePointerClick } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { cn } from "../../lib/cn.ts";
import { useMessages } from "../../lib/i18n.ts";
import { pageActs } from "../../lib/keys.ts";
import { withOpenLead } from "../../lib/lead-panel.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { EmptyState, ListFailed, MoreRows, NewItemsPill, RowsSkeleton } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Segments } from "../../ui/segments.tsx";
import { ScheduledStrip } from "../sms/scheduled/scheduled-strip.tsx";
import { EntryPane, type NumberOwner } from "./entry-pane.tsx";
import { EntryRow, entryName } from "./entry-row.tsx";
import type { InboxSearch } from "./inbox-search.ts";
import { inboxPageMessages } from "./messages.ts";
import { type ShownEntry, scopeCountQuery, useEntries, useSettleEntry } from "./queries.ts";

/** Below this width list and thread are shown one at a time. */
const narrow = window.matchMedia("(max-width: 767.98px)");

/** Waiting entries on the left, the open one with the reply on the right. */
export function InboxPage() {
  const t = useMessages(inboxPageMessages);
  const { entry: openId, of }: InboxSearch = useSearch({ strict: false });
  const { pages, entries, newCount } = useEntries(of);
  const { data: counted } = useQuery(scopeCountQuery(of));
  const { data: user } = useQuery(currentUserQuery());
  const settle = useSettleEntry();
  /** The leads that unknown numbers were given to here, by entry. */
  const [owners, setOwners] = useState<Readonly<Record<string, NumberOwner>>>({});
  const [announced, setAnnounced] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const left = useRef<string>(undefined);
  const { open, close } = useOpenEntry(of);
  /** The open entry stays open even if the list no longer contains it. */
  const [kept, setKept] = useState<ShownEntry | null>(null);
  const listed = entries?.find(({ id }) => id === openId);
  if (listed && listed !== kept && JSON.stringify(listed) !== JSON.stringify(kept)) setKept(listed);
  const current = openId === undefined ? undefined : (listed ?? (kept?.id === openId ? kept : undefined));

  const rowOf = (id: string) =>
    [...(list.current?.querySelectorAll<HTMLElement>("[data-entry]") ?? [])].find(
      ({ dataset }) => dataset.entry === id,
    );
  function show(entry: ShownEntry | undefined): void {
    if (!entry) return;
    if (entry.id === openId) {
      // A second press moves the focus to the reply, of an unknown number to what can be done about it.
      const pane = document.querySelector("[data-lead-pane]");
      (
        pane?.querySelector<HTMLElement>("[data-act=text]") ??
        pane?.querySelector<HTMLElement>("footer button")
      )?.focus();
      return;
    }
    open(entry.id);
    if (!narrow.matches) rowOf(entry.id)?.focus();
  }
  function leave(to = openId): void {
    left.current = to;
    close();
  }
  /** Opens the neighbour of the open entry; without one, the focused row is the next. */
  function step(by: 1 | -1): void {
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement ? activeElement.dataset.entry : undefined;
    const indexOf = (wanted: string | undefined) => entries?.findIndex(({ id }) => id === wanted) ?? -1;
    const at = indexOf(openId);
    const beside = indexOf(focused);
    if (at !== -1) show(entries?.[at + by]);
    else if (beside !== -1) show(entries?.[by === 1 ? beside : beside - 1]);
    else show(entries?.[0]);
  }
  function onSettle(entry: ShownEntry, done: boolean): void {
    settle.mutate({ entry, done });
    goOn(entry, done);
  }
  function goOn(entry: ShownEntry, done: boolean): void {
    setAnnounced(done ? t("settled", { name: entryName(entry, t) }) : "");
    const at = entries?.findIndex(({ id }) => id === entry.id) ?? -1;
    const waits = ({ isDone, id }: ShownEntry) => !isDone && id !== entry.id;
    const next = entries?.slice(at + 1).find(waits) ?? entries?.slice(0, Math.max(at, 0)).findLast(waits);
    // The next entry is only focused, as opening it would mark it as read.
    leave(done ? next?.id : entry.id);
  }
  useInboxKeys({
    next: () => step(1),
    previous: () => step(-1),
    done: () => {
      // SMS of an own lead are marked by opening them, so nothing is left to do.
      if (current?.isDone) goOn(current, true);
      else if (current) onSettle(current, true);
    },
  });
  // On a phone the thread replaces the list: the focus moves to it, and back to the row afterwards.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening and leaving move the focus.
  useEffect(() => {
    if (openId === undefined) {
      if (left.current) rowOf(left.current)?.focus();
      left.current = undefined;
    } else if (narrow.matches)
      document.querySelector<HTMLElement>("[data-entry-title]")?.focus({ preventScroll: true });
  }, [openId]);

  const count = counted?.count ?? 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className={current ? "max-md:sr-only" : undefined}>
        <PageHeader isSlim title={t("title")} actions={user?.role === "admin" ? <Whose of={of} /> : null}>
          <p className="mr-auto text-muted-foreground text-sm tabular-nums max-sm:order-last max-sm:min-h-5 max-sm:basis-full">
            {counted ? t(counted.isMore ? "waitingMany" : "waiting", { count }) : null}
          </p>
          <ScheduledStrip />
        </PageHeader>
      </div>
      <p role="status" className="sr-only">
        {newCount > 0 ? t("new", { count: newCount }) : announced}
      </p>
      <div className="grid min-h-96 grid-cols-[minmax(0,1fr)] overflow-hidden rounded-xl border bg-surface shadow-card md:h-[calc(100dvh-var(--chrome)-7rem)] md:grid-cols-[minmax(17rem,24rem)_minmax(0,1fr)]">
        <div className={cn("relative grid min-h-0 md:border-r", current && "max-md:hidden")}>
          {newCount > 0 && entries && entries.length > 0 ? (
            <NewItemsPill
              isInPane
              onShow={() => {
                if (list.current) list.current.scrollTop = 0;
                void pages.refetch();
              }}
            >
              {t("new", { count: newCount })}
            </NewItemsPill>
          ) : null}
          <div ref={list} className="min-h-0 overflow-y-auto">
            <EntryList
              entries={entries}
              pages={pages}
              openId={current?.id}
              withRep={user?.role === "admin"}
              onOpen={(entry) => show(entry)}
            />
          </div>
        </div>
        <section
          data-lead-pane={current ? "" : undefined}
          onKeyDown={(event) => {
            // From the reply, whose draft stays, back to the keys of the list.
            if (event.key !== "Escape" || event.defaultPrevented || !current || narrow.matches) return;
            if (event.target instanceof HTMLTextAreaElement) rowOf(current.id)?.focus();
          }}
          aria-label={current ? entryName(current, t) : t("chooseTitle")}
          className={cn(
            "flex min-h-0 min-w-0 flex-col max-md:h-[calc(100dvh-var(--chrome)-3rem-var(--phone-bar))]",
            current ? null : "max-md:hidden",
          )}
        >
          {current ? (
            <EntryPane
              key={current.id}
              entry={current}
              owner={owners[current.id]}
              onOwner={(owner) => setOwners((known) => ({ ...known, [current.id]: owner }))}
              onBack={() => leave()}
              onSettle={(done) => onSettle(current, done)}
            />
          ) : entries && entries.length > 0 ? (
            <div className="grid flex-1 place-content-center p-6">
              <EmptyState
                icon={MousePointerClick}
                title={t("chooseTitle")}
                description={t("chooseText")}
                isInside
              />
            </div>
          ) : null}
        </section>
      </div>
    </div>
  );
}

/** The open entry is in the address; on a phone opening adds a history entry. */
function useOpenEntry(of: InboxSearch["of"]) {
  const navigate = useNavigate();
  const router = useRouter();
  const isPushed = useRef(false);
  const go = (entry: string | undefined, replace: boolean) =>
    void navigate({ to: ".", search: withOpenLead({ of, entry }), replace, resetScroll: false });
  return {
    open(entry: string) {
      isPushed.current = narrow.matches;
      go(entry, !narrow.matches);
    },
    close() {
      if (isPushed.current) router.history.back();
      else go(undefined, true);
      isPushed.current = false;
    },
  };
}

/** Switches between the user's own entries and everyone's; for administrators. */
function Whose({ of }: { of: InboxSearch["of"] }) {
  const t = useMessages(inboxPageMessages);
  const navigate = useNavigate();
  return (
    <Segments
      label={t("whose")}
      value={of}
      segments={[
        { value: undefined, label: t("mine") },
        { value: "everyone", label: t("everyone") },
      ]}
      onChange={(whose) =>
        void navigate({ to: ".", search: withOpenLead({ of: whose }), resetScroll: false })
      }
    />
  );
}

interface EntryListProps {
  entries: ShownEntry[] | undefined;
  pages: ReturnType<typeof useEntries>["pages"];
  openId: string | undefined;
  withRep: boolean;
  onOpen: (entry: ShownEntry) => void;
}

/** The loaded entries, with a button for more. */
function EntryList({ entries, pages, openId, withRep, onOpen }: EntryListProps) {
  const t = useMessages(inboxPageMessages);
  if (!entries && pages.error) {
    return <ListFailed found={pages} title={t("loadFailed")} isInside />;
  }
  if (!entries) return <RowsSkeleton label={t("loading")} isInside />;
  if (entries.length === 0) {
    return <EmptyState icon={Inbox} title={t("emptyTitle")} description={t("emptyText")} isInside />;
  }
  return (
    <>
      <ul aria-label={t("list")}>
        {entries.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            isOpen={entry.id === openId}
            withRep={withRep}
            onOpen={() => onOpen(entry)}
          />
        ))}
      </ul>
      <MoreRows found={pages} className="p-3" />
    </>
  );
}

/** Shortcuts of the inbox: the list's `j` and `k`, and Done. */
function useInboxKeys(acts: Record<"next" | "previous" | "done", () => void>): void {
  const onAct = useEffectEvent((act: keyof typeof acts) => acts[act]());
  useEffect(() => {
    pageActs.set({
      next: () => onAct("next"),
      previous: () => onAct("previous"),
      done: () => onAct("done"),
    });
    return () => pageActs.set({});
  }, []);
}
