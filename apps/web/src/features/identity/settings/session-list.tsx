import { browserOf } from "@portal/contract/browser-of";
import type { SignIn, UserSession } from "@portal/contract/entities/settings";
import { listSessions, listSignIns } from "@portal/contract/routes/account";
import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { useId, useState } from "react";
import { useRelativeTime } from "../../../lib/clock.tsx";
import { formatDate, formatNumber, formatTime } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { PartFailed, Skeleton } from "../../../ui/list-states.tsx";
import { settingsMessages } from "./messages.ts";
import { useEndOtherSessions, useEndSession } from "./queries.ts";

/** A browser's name, and the icon of its device. */
function useBrowser(userAgent: string | null) {
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

const firstShown = 5;

function SignInRow({ signIn }: { signIn: SignIn }) {
  const t = useMessages(settingsMessages);
  const { where, Icon } = useBrowser(signIn.userAgent);
  const { at, refused, count, by, address } = signIn;
  const refusal = count > 1 ? t("signInsRefused", { count: formatNumber(count) }) : t("signInRefused");
  return (
    <li className="flex items-center gap-x-4 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className="size-5 shrink-0 text-muted-foreground" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
          {where}
          {refused ? <Badge tone="danger">{refusal}</Badge> : null}
        </p>
        <p className="break-words text-[0.8125rem] text-muted-foreground">
          {[`${formatDate(at)}, ${formatTime(at)}`, t(`signInBy_${by}`), address].filter(Boolean).join(" · ")}
        </p>
      </div>
    </li>
  );
}

/** The latest sign-ins to the user's account, including refused ones: the first few, and all with one click. */
export function SignInList() {
  const t = useMessages(settingsMessages);
  const titleId = useId();
  const [isWhole, setWhole] = useState(false);
  const found = useQuery(routeQuery(listSignIns));
  const { data: signIns, error } = found;
  const shown = isWhole ? signIns : signIns?.slice(0, firstShown);
  return (
    <section aria-labelledby={titleId} className="grid gap-3 border-t pt-5">
      <div className="grid gap-0.5">
        <h3 id={titleId} className="font-semibold">
          {t("signIns")}
        </h3>
        <p className="text-muted-foreground text-sm">{t("signInsHint")}</p>
      </div>
      {error ? <PartFailed found={found} /> : null}
      {shown?.length === 0 ? <p className="text-muted-foreground text-sm">{t("signInsNone")}</p> : null}
      {shown && shown.length > 0 ? (
        <ul className="divide-y">
          {shown.map((signIn) => (
            <SignInRow key={signIn.id} signIn={signIn} />
          ))}
        </ul>
      ) : null}
      {signIns && signIns.length > firstShown ? (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t("signInsFewer") : t("signInsAll", { count: formatNumber(signIns.length) })}
        </Button>
      ) : null}
      {!signIns && !error ? <Skeleton className="h-12" /> : null}
    </section>
  );
}
