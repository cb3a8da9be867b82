import { browserOf } from "@portal/contract/browser-of";
import type { UserSession } from "@portal/contract/entities/settings";
import { listSessions } from "@portal/contract/routes/account";
import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { useId } from "react";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { useRelativeTime } from "../../../lib/relative-time.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { PartFailed } from "../../../ui/list-states.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { settingsMessages } from "./messages.ts";
import { useEndOtherSessions, useEndSession } from "./queries.ts";

/** A browser's name, and the icon of its device. */
export function useBrowser(userAgent: string | null) {
  const t = useMessages(settingsMessages);
  const { browser, system, isHandheld } = browserOf(userAgent);
  const name = browser ?? t("unknownBrowser");
  return {
    where: system ? t("browserOn", { browser: name, system }) : name,
    Icon: isHandheld ? Smartphone : Monitor,
  };
}

function SessionRow({ session }: { session: UserSession }) {
  const t = useMessages(settingsMessages);
  const end = useEndSession();
  const facts = useId();
  const lastSeen = useRelativeTime(session.lastSeenAt);
  const { where, Icon } = useBrowser(session.userAgent);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className="size-5 shrink-0 text-muted-foreground" />
      <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
          {where}
          {session.current ? <Badge tone="success">{t("thisBrowser")}</Badge> : null}
        </p>
        <p id={facts} className="break-words text-[0.8125rem] text-muted-foreground">
          {[
            session.current ? null : t("lastSeen", { when: lastSeen }),
            t("signedInOn", { date: formatDate(session.createdAt) }),
            session.address,
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      {session.current ? null : (
        <Button
          variant="secondary"
          size="sm"
          pending={end.isPending}
          aria-label={t("signOutThereLabel", { where })}
          // Distinguishes several of the same kind.
          aria-describedby={facts}
          onClick={() => end.mutate(session.id)}
        >
          {t("signOutThere")}
        </Button>
      )}
    </li>
  );
}

/** The user's sessions, this browser's first. */
export function SessionList() {
  const t = useMessages(settingsMessages);
  const found = useQuery(routeQuery(listSessions));
  const { data: sessions, error } = found;
  const endOthers = useEndOtherSessions();
  const rows = [...(sessions ?? [])].sort((a, b) => Number(b.current) - Number(a.current));
  return (
    <section className="grid gap-3 border-t pt-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="grid gap-0.5">
          <h3 className="font-semibold">{t("sessions")}</h3>
          <p className="text-muted-foreground text-sm">{t("sessionsHint")}</p>
        </div>
        {rows.length > 1 ? (
          <Button
            variant="secondary"
            size="sm"
            pending={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            {t("signOutElsewhere")}
          </Button>
        ) : null}
      </div>
      {error ? <PartFailed found={found} /> : null}
      {sessions ? (
        <ul aria-label={t("sessions")} className="divide-y">
          {rows.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : null}
      {!sessions && !error ? <Skeleton className="h-12" /> : null}
    </section>
  );
}
