import { Sprout } from "lucide-react";
import type { ReactNode } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { reportTexts } from "../texts.ts";

interface ReportCardProps {
  title: string;
  subtitle?: ReactNode;
  action?: ReactNode;
  /** What fills it, where there is nothing yet. */
  emptyHint?: string | null;
  children: ReactNode;
}

/** One part of a report; without data it says so. */
export function ReportCard({ emptyHint, action, children, ...card }: ReportCardProps) {
  const t = useTexts(reportTexts);
  if (!emptyHint) {
    return (
      <TitledCard {...card} action={action}>
        {children}
      </TitledCard>
    );
  }
  return (
    <TitledCard {...card}>
      <div className="grid min-h-40 place-content-center justify-items-center gap-1 text-center">
        <Sprout aria-hidden className="mb-1 size-6 text-muted-foreground" />
        <p className="font-medium">{t("noData")}</p>
        <p className="max-w-sm text-balance text-muted-foreground text-sm">{emptyHint}</p>
      </div>
    </TitledCard>
  );
}
