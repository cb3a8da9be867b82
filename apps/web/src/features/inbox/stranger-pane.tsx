import { useState } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { RelativeTime } from "../../lib/relative-time.tsx";
import { Button } from "../../ui/button.tsx";
import { StrangerActions } from "../call-history/caller-actions.tsx";
import { AttachmentsNote } from "../sms/components/attachments-note.tsx";
import { LeadPicker } from "../sms/components/lead-picker.tsx";
import { EntryCalls } from "./entry-calls.tsx";
import { entryName } from "./entry-row.tsx";
import { inboxPageMessages } from "./messages.ts";
import { useAttachNumber } from "./queries.ts";
import type { ShownEntry } from "./use-entries.ts";

/** The entry of an unknown number, and the choice of its lead. */
export function StrangerPane({ entry }: { entry: ShownEntry }) {
  const t = useMessages(inboxPageMessages);
  const { number, texts, calls } = entry;
  const [isPicking, setPicking] = useState(false);
  const attach = useAttachNumber();
  return (
    <>
      <EntryCalls calls={calls} name={entryName(entry, t)} />
      {texts.length > 0 ? (
        <section
          aria-label={t("texts")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
          tabIndex={0}
          className="min-h-0 flex-1 overflow-y-auto border-t px-5 py-4 outline-offset-[-2px] sm:px-6"
        >
          <ul className="grid grid-cols-1 gap-2.5">
            {texts.toReversed().map((text) => (
              <li key={text.id} className="grid max-w-[85%] justify-items-start gap-1">
                <p
                  dir="auto"
                  className="whitespace-pre-wrap rounded-2xl rounded-bl-md bg-muted px-3.5 py-2 text-sm leading-5 [overflow-wrap:anywhere]"
                >
                  {text.message}
                  <AttachmentsNote count={text.attachments} />
                </p>
                <time dateTime={text.createdAt} className="text-muted-foreground text-xs">
                  <RelativeTime at={text.createdAt} />
                </time>
              </li>
            ))}
          </ul>
        </section>
      ) : (
        <div className="flex-1" />
      )}
      {number ? (
        <footer className="grid shrink-0 gap-3 border-t px-5 py-4 sm:px-6">
          <p className="text-muted-foreground text-sm">{t("noReply")}</p>
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              variant="secondary"
              aria-expanded={isPicking}
              onClick={() => setPicking(!isPicking)}
            >
              {t("attach")}
            </Button>
            <StrangerActions number={number} />
          </div>
          {isPicking ? (
            <LeadPicker
              isPending={attach.isPending}
              onPick={(lead) => attach.mutate({ number, lead }, { onSuccess: () => setPicking(false) })}
            />
          ) : null}
        </footer>
      ) : null}
    </>
  );
}
