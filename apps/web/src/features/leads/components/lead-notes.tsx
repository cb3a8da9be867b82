import { useEffect, useRef, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { leadCardMessages } from "../messages.ts";

/** Notes as plain text, limited to three lines with a button for more. */
export function LeadNotes({ notes }: { notes: string }) {
  const t = useMessages(leadCardMessages);
  const [open, setOpen] = useState(false);
  const [cut, setCut] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other notes are measured again.
  useEffect(() => {
    const { current } = text;
    if (!current || open) return;
    // Runs after the browser's layout, so that a scrolling list is not laid out again for every card.
    const observer = new ResizeObserver(() => setCut(current.scrollHeight > current.clientHeight + 1));
    observer.observe(current);
    return () => observer.disconnect();
  }, [notes, open]);
  return (
    <div className="text-sm">
      <p
        ref={text}
        className={cn("whitespace-pre-line break-words text-muted-foreground", !open && "line-clamp-3")}
      >
        <span className="sr-only">{t("notes")}: </span>
        {notes}
      </p>
      {cut || open ? (
        <Button
          variant="link"
          size="inline"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="pointer-coarse:my-0 mt-0.5 text-xs"
        >
          {open ? t("showLess") : t("showMore")}
        </Button>
      ) : null}
    </div>
  );
}
