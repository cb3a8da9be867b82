import { Clock, Phone, Users } from "lucide-react";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { BarList } from "../../ui/bar-list.tsx";
import { MetricList } from "../../ui/metric-list.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { StatCard, StatCards } from "../../ui/stat-card.tsx";
import { StatStrip, StripButton, StripOpener } from "../../ui/stat-strip.tsx";
import { kitMessages } from "./kit-messages.ts";
import { Section, Specimen } from "./specimen.tsx";

const nothing = () => {};

/** Figures as tiles, in one line, and inside a card. */
export function StatSection() {
  const t = useMessages(kitMessages);
  return (
    <Section title={t("figures")}>
      <Specimen part="stat-card" state="rest" isStack>
        <StatCards columns="row">
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
            { label: t("calls"), value: "1,204", isOn: true, onPress: nothing },
            { label: t("talkTime"), value: "3:12", isOn: false, onPress: nothing },
            { label: t("total"), value: undefined },
          ]}
        >
          <StripButton label={t("three")} isOn={false} onPress={nothing} />
          <StripOpener label={t("waiting")} count={3} tone="warning" isOpen={false} onPress={nothing} />
          <StripOpener label={t("error")} count={2} tone="danger" isOpen onPress={nothing} />
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
