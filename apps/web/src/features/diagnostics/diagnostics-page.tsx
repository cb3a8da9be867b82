import { getCrmStatus } from "@portal/contract/routes/crm";
import { useQuery } from "@tanstack/react-query";
import { errorText } from "../../lib/errors.ts";
import { useLanguage, useTexts } from "../../lib/i18n.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { diagnosticsTexts } from "./texts.ts";

/** Whether the CRM answers, and what it says. Asked anew on every visit. */
export function DiagnosticsPage() {
  const t = useTexts(diagnosticsTexts);
  const status = useQuery({ ...routeQuery(getCrmStatus), staleTime: 0 });
  const language = useLanguage();
  // The server tells it in English.
  const own = t(status.data?.connected ? "connectedText" : "notConnectedText");
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader title={t("title")} subtitle={t("subtitle")} />
      <Card>
        <CardHeader className="flex items-center justify-between gap-4">
          <CardTitle>{t("connection")}</CardTitle>
          <StatusBadge connected={status.data?.connected} />
        </CardHeader>
        <CardContent aria-live="polite" className="grid gap-1 text-sm">
          {status.isPending ? <Skeleton className="h-5 w-64" /> : null}
          {status.isError ? <p>{errorText(status.error, t("failed"))}</p> : null}
          {status.data ? (
            <>
              <p>{language === "en" ? status.data.message : own}</p>
              <p className="text-muted-foreground">{t("users", { count: status.data.usersCount })}</p>
            </>
          ) : null}
        </CardContent>
        <CardFooter>
          <Button variant="secondary" pending={status.isFetching} onClick={() => void status.refetch()}>
            {t(status.isFetching ? "checking" : "checkAgain")}
          </Button>
        </CardFooter>
      </Card>
    </div>
  );
}

function StatusBadge({ connected }: { connected: boolean | undefined }) {
  const t = useTexts(diagnosticsTexts);
  if (connected === undefined) return null;
  return <Badge tone={connected ? "success" : "danger"}>{t(connected ? "connected" : "notConnected")}</Badge>;
}
