import { Inbox } from "lucide-react";
import { useMessages } from "../../lib/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListFailed, MoreRows, NewItemsPill, PartFailed, RowsSkeleton } from "../../ui/list-states.tsx";
import { PickRow } from "../../ui/pick-row.tsx";
import { RecentList } from "../../ui/recent-list.tsx";
import { kitMessages } from "./kit-messages.ts";
import { Section, Specimen } from "./specimen.tsx";

const nothing = () => {};

const more = {
  hasNextPage: true,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: nothing,
};

/** Short lists, and what stands in place of rows. */
export function StateSection() {
  const t = useMessages(kitMessages);
  return (
    <>
      <Section title={t("lists")}>
        <Specimen part="pick-row" state="rest" isStack>
          <PickRow note={t("note")}>{t("one")}</PickRow>
          <PickRow aria-current>{t("two")}</PickRow>
          <PickRow disabled>{t("three")}</PickRow>
        </Specimen>
        <Specimen part="pick-row" state="longText" isStack>
          <PickRow note={t("long")}>{t("long")}</PickRow>
        </Specimen>
        <Specimen part="recent-list" state="rest" isStack>
          <RecentList
            title={t("latest")}
            failure={null}
            empty={t("emptyTitle")}
            items={[
              { key: 1, leadId: 1, name: "Sam Lee", note: t("note"), badge: <Badge>{t("one")}</Badge> },
              { key: 2, leadId: 2, name: t("long"), note: t("long"), badge: <Badge>{t("two")}</Badge> },
            ]}
          />
        </Specimen>
      </Section>
      <Section title={t("states")}>
        <Specimen part="empty-state" state="empty" isStack>
          <EmptyState
            icon={Inbox}
            title={t("emptyTitle")}
            description={t("emptyText")}
            actions={<Button variant="secondary">{t("act")}</Button>}
          />
          <EmptyState isInside icon={Inbox} title={t("emptyTitle")} description={t("long")} />
        </Specimen>
        <Specimen part="list-failed" state="error" isStack>
          <ListFailed
            found={{ error: null, isFetching: false, refetch: nothing }}
            title={t("unread")}
            text={t("emptyText")}
          />
          <PartFailed message={t("unread")} pending={false} onRetry={nothing} />
        </Specimen>
        <Specimen part="rows-skeleton" state="loading" isStack>
          <RowsSkeleton label={t("loading")} />
        </Specimen>
        <Specimen part="more-rows" state="rest" isStack>
          <MoreRows found={more} />
        </Specimen>
        <Specimen part="more-rows" state="busy" isStack>
          <MoreRows found={{ ...more, isFetchingNextPage: true }} />
        </Specimen>
        <Specimen part="more-rows" state="error" isStack>
          <MoreRows found={{ ...more, isFetchNextPageError: true }} />
        </Specimen>
        <Specimen part="new-items" state="rest" isStack>
          <div className="relative h-28 rounded-xl border bg-surface [contain:layout]">
            <NewItemsPill isInPane onShow={nothing}>
              {t("newItems")}
            </NewItemsPill>
          </div>
        </Specimen>
      </Section>
    </>
  );
}
