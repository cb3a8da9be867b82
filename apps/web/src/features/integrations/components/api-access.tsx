import type { IntakeSourceState } from "@portal/contract/entities/lead-webhook";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, LockOpen } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Card, CardContent, CardTitle } from "../../../ui/card.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { apiDocsTexts } from "../api-docs-texts.ts";
import { sourceAccessQuery } from "../queries.ts";

const tones: Record<IntakeSourceState["access"], BadgeTone> = {
  open: "warning",
  keyed: "success",
  closed: "danger",
};

/** How callers prove who they are: the recorded sentence while nothing asks for a key, else what is asked for. */
export function ApiAccess() {
  const t = useTexts(apiDocsTexts);
  const { data, isError } = useQuery(sourceAccessQuery());
  if (isError) return <p className="text-sm">{t("authUnknown")}</p>;
  if (!data) return <Skeleton className="h-24 rounded-xl" />;
  if (data.every(({ access }) => access === "open")) {
    return (
      <section className="flex gap-3 rounded-xl bg-warning-soft p-4 text-warning-text">
        <LockOpen aria-hidden className="mt-0.5 size-5 shrink-0" />
        <div className="grid gap-1 text-sm">
          <h2 className="font-semibold">{t("openTitle")}</h2>
          <p>{t("openText")}</p>
        </div>
      </section>
    );
  }
  return (
    <Card>
      <CardContent className="flex gap-3">
        <KeyRound aria-hidden className="mt-0.5 size-5 shrink-0 text-primary-text" />
        <div className="grid min-w-0 gap-2 text-sm">
          <CardTitle>{t("authTitle")}</CardTitle>
          <p>{t("authKey")}</p>
          <p>{t("authSession")}</p>
          <ul className="flex flex-wrap gap-2">
            {data.map(({ source, address, access }) => (
              <li key={source} className="flex items-center gap-1.5">
                <code className="text-xs">{new URL(address, window.location.href).pathname}</code>
                <Badge tone={tones[access]}>{t(access)}</Badge>
              </li>
            ))}
          </ul>
        </div>
      </CardContent>
    </Card>
  );
}
