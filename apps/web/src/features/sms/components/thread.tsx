import type { Message } from "@portal/contract/entities/message";
import { MessageSquare } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { formatLongDate } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { smsTexts } from "../texts.ts";
import { byDay, nearDay } from "../thread.ts";
import { Bubble, PendingBubble } from "./bubble.tsx";

/** Whoever has scrolled up further than this is reading: new texts do not pull them down. */
const nearEndPx = 120;

interface ThreadProps {
  messages: readonly Message[];
  /** A text on its way to the server. */
  pending: string | null;
}

/** The texts, oldest first, parted by days; opens at the newest and follows it. */
export function Thread({ messages, pending }: ThreadProps) {
  const t = useTexts(smsTexts);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const days = useMemo(() => byDay(messages), [messages]);
  const newest = messages.at(-1);
  const mark = `${newest?.id} ${messages.length} ${pending}`;

  useEffect(() => {
    if (pending !== null) follows.current = true;
  }, [pending]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown has changed when the mark has
  useLayoutEffect(() => {
    const element = box.current;
    if (element && (follows.current || pending !== null)) element.scrollTop = element.scrollHeight;
  }, [mark]);

  const isEmpty = messages.length === 0 && pending === null;
  useEffect(() => {
    const element = box.current;
    if (isEmpty || !element) return;
    // What is written below takes room from the thread as it grows.
    const observer = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isEmpty]);

  if (isEmpty) {
    return (
      <div className="grid flex-1 place-content-center">
        <EmptyState icon={MessageSquare} title={t("empty")} description={t("emptyHint")} />
      </div>
    );
  }
  return (
    <section
      ref={box}
      aria-label={t("thread")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < nearEndPx;
      }}
      className="mt-3 min-h-0 flex-1 overflow-y-auto overscroll-contain border-t px-5 py-4 outline-offset-[-2px] sm:px-6"
    >
      <div role="log" aria-live="polite" className="grid grid-cols-1 gap-4">
        {days.map(({ day, at, items }) => (
          <div key={day} className="grid grid-cols-1 gap-2.5">
            <DayLine at={at} />
            {items.map((message) => (
              <Bubble key={message.id} message={message} />
            ))}
          </div>
        ))}
        {pending === null ? null : <PendingBubble text={pending} />}
      </div>
    </section>
  );
}

function DayLine({ at }: { at: string }) {
  const t = useTexts(smsTexts);
  const near = nearDay(at, new Date());
  return (
    <h3 className="flex items-center gap-3 py-1 font-medium text-muted-foreground text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
      <time dateTime={at}>{near ? t(near) : formatLongDate(at)}</time>
    </h3>
  );
}
