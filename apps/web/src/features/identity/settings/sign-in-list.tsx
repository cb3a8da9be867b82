import type { SignIn } from "@portal/contract/entities/settings";
import { listSignIns } from "@portal/contract/routes/account";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { formatDate, formatNumber, formatTime } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { PartFailed } from "../../../ui/list-states.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { settingsMessages } from "./messages.ts";
import { useBrowser } from "./session-list.tsx";

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
