import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RefreshCw, Stethoscope, Waypoints } from "lucide-react";
import { useId } from "react";
import { useLanguage, useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardFooter, CardTitle } from "../../../ui/card.tsx";
import { PartFailed, Skeleton } from "../../../ui/list-states.tsx";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { SyncButton } from "../../crm/components/sync-button.tsx";
import { SyncIssues } from "../../crm/components/sync-progress.tsx";
import { crmSyncMessages } from "../../crm/messages.ts";
import { useCrmSync } from "../../crm/queries.ts";
import { overviewMessages } from "../messages.ts";
import { crmStatusQuery } from "../queries.ts";

/** The GHL integration: its status, and both syncs. */
export function GhlCard() {
  const t = useMessages(overviewMessages);
  const sync = useMessages(crmSyncMessages);
  const { data: user } = useQuery(currentUserQuery());
  const leads = useCrmSync("leads");
  const all = useCrmSync("all");
  return (
    <Card>
      <CardContent className="grid gap-4">
        <div className="flex flex-wrap items-start gap-3">
          <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-primary-soft text-primary-text">
            <Waypoints aria-hidden className="size-5" />
          </span>
          <div className="min-w-0 flex-1 basis-48">
            <CardTitle>{t("ghlTitle")}</CardTitle>
            <p className="text-muted-foreground text-sm">{t("ghlText")}</p>
          </div>
          <Status />
        </div>
        <SyncIssues issues={leads.state.issues} onDismiss={leads.readIssues} />
        <SyncIssues issues={all.state.issues} onDismiss={all.readIssues} />
      </CardContent>
      <CardFooter className="justify-start">
        <SyncButton
          label={sync("syncLeads")}
          phase={leads.state.phase}
          variant="primary"
          onSync={() => void leads.start()}
        />
        {user?.role === "admin" ? (
          <SyncButton label={sync("syncAll")} phase={all.state.phase} onSync={() => void all.start()} />
        ) : (
          <SyncAllRefused label={sync("syncAll")} />
        )}
        <Button variant="ghost" asChild className="sm:ml-auto">
          <Link to="/ghl-diagnostics">
            <Stethoscope aria-hidden />
            {t("diagnostics")}
          </Link>
        </Button>
      </CardFooter>
    </Card>
  );
}

function Status() {
  const t = useMessages(overviewMessages);
  const language = useLanguage();
  const found = useQuery(crmStatusQuery());
  const { data, isPending } = found;
  if (isPending) return <Skeleton className="h-11 w-40" />;
  if (!data) return <PartFailed found={found} text={t("statusFailed")} />;
  // The server's text is English.
  const own = t(data.connected ? "connectedText" : "notConnectedText");
  return (
    <div className="grid max-w-full justify-items-start gap-1 text-sm sm:justify-items-end">
      <Badge tone={data.connected ? "success" : "danger"}>
        {t(data.connected ? "connected" : "notConnected")}
      </Badge>
      <p className="text-muted-foreground text-xs">
        {language === "en" ? data.message : own}{" "}
        {data.connected ? t("users", { count: data.usersCount }) : null}
      </p>
    </div>
  );
}

/** A disabled button with the reason, for users who may not sync all. */
function SyncAllRefused({ label }: { label: string }) {
  const t = useMessages(overviewMessages);
  const id = useId();
  return (
    <>
      <Tooltip content={t("adminOnly")}>
        <Button
          variant="secondary"
          aria-disabled
          aria-describedby={id}
          className="aria-disabled:pointer-events-auto aria-disabled:cursor-not-allowed"
        >
          <RefreshCw aria-hidden />
          {label}
        </Button>
      </Tooltip>
      <p id={id} className="text-muted-foreground text-xs">
        {t("adminOnly")}
      </p>
    </>
  );
}
