import { listNotices, type Notice } from "@portal/contract/routes/notices";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { formatPhone } from "../../lib/format.ts";
import { textOf } from "../../lib/i18n.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { claimOnce } from "./claim-once.ts";
import { showDesktopNotice, useDesktopNotices } from "./desktop-notices.ts";
import { noticeTexts } from "./texts.ts";

/** The server names what is two minutes old at most; a mark is kept longer, whatever the two clocks say. */
const keptMs = 60 * 60_000;
const pages = { text: "/", "missed-call": "/call-history" } as const;

export type NoticePage = (typeof pages)[keyof typeof pages];

function claimNotice({ kind, id, at }: Notice): Promise<boolean> {
  const told = Date.parse(at);
  return claimOnce({
    store: STORAGE_KEYS.noticed,
    mark: `${kind}-${id}@${at}`,
    isOver: (mark) => Date.parse(mark.slice(mark.indexOf("@") + 1)) < told - keptMs,
  });
}

function show({ kind, id, from, text }: Notice, open: (page: NoticePage) => void): void {
  const t = textOf(noticeTexts);
  const name = formatPhone(from);
  const [title, body] =
    kind === "text"
      ? [t("text", { name }), text || t("textOfFiles")]
      : [t("missedCall", { name }), t("missedCallHint")];
  showDesktopNotice(title, { body, tag: `${kind}-${id}`, onOpen: () => open(pages[kind]) });
}

/** Tells inbound texts and missed calls on the desktop, where this browser may; of all tabs one does, once. */
export default function NoticeWatch({ open }: { open: (page: NoticePage) => void }) {
  const isOn = useDesktopNotices() === "on";
  const { data: notices } = useQuery({ ...routeQuery(listNotices), enabled: isOn });
  const onOpen = useEffectEvent(open);
  useEffect(() => {
    if (!isOn) return;
    for (const notice of notices ?? []) {
      void claimNotice(notice).then((mine) => mine && show(notice, onOpen));
    }
  }, [isOn, notices]);
  return null;
}
