import { useQuery } from "@tanstack/react-query";
import { PhoneCall } from "lucide-react";
import { formatPhone } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { phoneNumbersQuery } from "../queries.ts";
import { historyTexts } from "../texts.ts";

/** The number that leads see, which all consultants share (specification §2). */
export function NumberCard() {
  const t = useTexts(historyTexts);
  const { data, isError } = useQuery(phoneNumbersQuery());
  if (isError) return null;
  return (
    <section className="flex items-center gap-3 rounded-xl border bg-surface p-4 shadow-card">
      <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-primary-soft text-primary-text">
        <PhoneCall aria-hidden className="size-5" />
      </span>
      <div className="min-w-0">
        <h2 className="text-muted-foreground text-sm">{t("systemNumber")}</h2>
        {data ? (
          <p className="font-semibold tabular-nums">
            {data.systemNumber ? formatPhone(data.systemNumber) : t("noSystemNumber")}
          </p>
        ) : (
          <Skeleton className="h-6 w-36" />
        )}
        <p className="text-muted-foreground text-xs">
          {t("systemNumberHint")}
          {data?.officeLine ? ` ${t("officeLine", { phone: formatPhone(data.officeLine) })}` : null}
        </p>
      </div>
    </section>
  );
}
