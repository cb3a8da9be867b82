import type { ListedText } from "@portal/contract/entities/message";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { MessageSquareText } from "lucide-react";
import { formatNumber } from "../../lib/format.ts";
import { useTexts } from "../../lib/i18n.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { SmsDesk } from "../sms/sms-desk.tsx";
import { TextChips } from "./components/text-chips.tsx";
import { TextEntry } from "./components/text-entry.tsx";
import { textPages, useOpenThread } from "./queries.ts";
import { textListTexts } from "./texts.ts";
import { parseTextsSearch, type TextsSearch } from "./texts-search.ts";

const estimatedRowPx = 116;
const idOf = ({ id }: ListedText) => id;

/** The rows behind the texts of the reports: newest first, each opens its lead's conversation. */
export function TextsPage() {
  const t = useTexts(textListTexts);
  const filters = parseTextsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const { data: viewer } = useQuery(currentUserQuery());
  const found = useInfiniteQuery({ ...textPages(filters), placeholderData: keepPreviousData });
  const { mutate: open } = useOpenThread();
  const texts = found.data?.pages.flatMap(({ items }) => items);
  const total = found.data?.pages[0]?.total ?? null;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const count = total === null ? 0 : Number.parseInt(total, 10);
  function change(next: TextsSearch): void {
    void navigate({ to: ".", search: next, resetScroll: false });
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <PageHeader
          title={t("title")}
          subtitle={viewer && t(viewer.role === "admin" ? "subtitleEveryone" : "subtitleOwn")}
        />
        <TextChips filters={filters} onChange={change} />
        {total === null || count === 0 ? null : (
          <p role="status" className="text-muted-foreground text-sm tabular-nums">
            {t("found", { count, n: `${formatNumber(count)}${total.endsWith("+") ? "+" : ""}` })}
          </p>
        )}
        <PagedList
          found={found}
          items={texts}
          keyOf={idOf}
          label={t("list")}
          loading={t("loading")}
          failedTitle={t("failedTitle")}
          estimatePx={estimatedRowPx}
          renderRow={(text) => <TextEntry text={text} onOpen={open} />}
          empty={
            <EmptyState
              icon={MessageSquareText}
              title={t("emptyTitle")}
              description={t(isFiltered ? "emptyFiltered" : "emptyText")}
            />
          }
        />
      </div>
      <SmsDesk />
    </>
  );
}
