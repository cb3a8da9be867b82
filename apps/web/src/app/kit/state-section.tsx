import { Clock, Inbox, Phone, Users } from "lucide-react";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { BarList } from "../../ui/bar-list.tsx";
import { Button } from "../../ui/button.tsx";
import {
  EmptyState,
  ListFailed,
  MoreRows,
  NewItemsPill,
  PartFailed,
  RowsSkeleton,
} from "../../ui/list-states.tsx";
import { MetricList } from "../../ui/metric-list.tsx";
import { PaneRow, PickRow } from "../../ui/pick-row.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { RecentList } from "../../ui/recent-list.tsx";
import { StatCard, StatCards } from "../../ui/stat-card.tsx";
import { StatStrip, StripButton, StripOpener } from "../../ui/stat-strip.tsx";
import { kitMessages, Section, Specimen } from "./specimen.tsx";

const nothing = () => {};

const more = {
  hasNextPage: true,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  error: null,
  fetchNextPage: nothing,
};

/** Short lists, and placeholders for rows. */
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
        <Specimen part="pane-row" state="rest" isStack>
          <PaneRow name={t("one")} time={t("note")} preview={t("two")} counts="3" detail={t("three")} />
          <PaneRow name={t("two")} time={t("note")} preview={t("three")} aria-current />
          <PaneRow name={t("three")} time={t("note")} preview={t("one")} isQuiet />
        </Specimen>
        <Specimen part="pane-row" state="longText" isStack>
          <PaneRow name={t("long")} time={t("note")} preview={t("long")} counts="3" detail={t("long")} />
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
          <ListFailed found={{ error: null, isFetching: false, refetch: nothing }} title={t("unread")} />
          <PartFailed found={{ error: null, isFetching: false, refetch: nothing }} text={t("unread")} />
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

const noMetrics = () => {};

/** Metrics as tiles, in a strip, and inside a card. */
export function StatSection() {
  const t = useMessages(kitMessages);
  return (
    <Section title={t("figures")}>
      <Specimen part="stat-card" state="rest" isStack>
        <StatCards columns={3}>
          <StatCard label={t("calls")} value={formatNumber(1_204)} icon={Phone} />
          <StatCard
            label={t("talkTime")}
            value="3:12"
            icon={Clock}
            note={t("note")}
            rows={{ to: "/call-history", search: {} }}
          />
          <StatCard label={t("total")} value="$1,234,567.89" icon={Users} />
        </StatCards>
      </Specimen>
      <Specimen part="stat-card" state="loading" isStack>
        <StatCards columns="row" isLoading>
          <StatCard label={t("calls")} value={undefined} icon={Phone} />
          <StatCard label={t("talkTime")} value={undefined} icon={Clock} failure={t("unread")} />
          <StatCard label={t("long")} value="0" icon={Users} />
        </StatCards>
      </Specimen>
      <Specimen part="stat-strip" state="rest" isStack>
        <StatStrip
          label={t("figures")}
          figures={[
            { label: t("calls"), value: "1,204", isOn: true, onPress: noMetrics },
            { label: t("talkTime"), value: "3:12", isOn: false, onPress: noMetrics },
            { label: t("total"), value: undefined },
          ]}
        >
          <StripButton label={t("three")} isOn={false} onPress={noMetrics} />
          <StripOpener label={t("waiting")} count={3} tone="warning" isOpen={false} onPress={noMetrics} />
          <StripOpener label={t("error")} count={2} tone="danger" isOpen onPress={noMetrics} />
        </StatStrip>
      </Specimen>
      <Specimen part="metric-list" state="rest" isStack>
        <MetricList
          metrics={[
            { label: t("calls"), value: "12", note: t("hint") },
            { label: t("error"), value: "3", isBad: true },
            { label: t("talkTime"), value: "3:12" },
            { label: t("long"), value: "0" },
          ]}
        />
      </Specimen>
      <Specimen part="bar-list" state="rest" isStack>
        <BarList
          label={t("figures")}
          bars={[
            { key: "a", label: t("one"), count: 30, tone: "neutral" },
            { key: "b", label: t("long"), count: 12 },
            { key: "c", label: t("three"), count: 0, tone: "danger" },
          ]}
        />
        <ProgressBar label={t("busy")} done={30} total={100} />
        <ProgressBar label={t("loading")} done={0} total={0} />
      </Specimen>
    </Section>
  );
}
