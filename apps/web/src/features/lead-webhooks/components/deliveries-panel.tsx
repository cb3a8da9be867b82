import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import { useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { deliveriesQuery } from "../queries.ts";
import { deliveryTexts } from "../texts.ts";
import { DeliveryEntry } from "./delivery-entry.tsx";

/** The last deliveries of a source, live: what came, what became of it, and another try. */
export function DeliveriesPanel({ source }: { source: WebhookSource }) {
  const t = useTexts(deliveryTexts);
  const { data, error, isFetching, refetch } = useQuery(deliveriesQuery(source));
  if (!data && error) {
    return (
      <div role="alert" className="grid justify-items-start gap-3">
        <p className="text-danger-text text-sm">{errorText(error, t("loadFailed"))}</p>
        <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
          {t("retry")}
        </Button>
      </div>
    );
  }
  if (!data) {
    return (
      <div role="status" aria-label={t("loading")} className="grid gap-3">
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </div>
    );
  }
  if (data.length === 0) return <EmptyState icon={Inbox} title={t("empty")} description={t("emptyText")} />;
  return (
    <>
      <p className="text-muted-foreground text-sm">{t("hint")}</p>
      <ul aria-label={t("list")} className="grid divide-y border-y">
        {data.map((delivery) => (
          <DeliveryEntry key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </>
  );
}
