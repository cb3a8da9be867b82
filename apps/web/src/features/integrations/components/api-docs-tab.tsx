import type { WebhookSourceState } from "@portal/contract/entities/lead-webhook";
import { getApiDocument } from "@portal/contract/routes/integrations";
import { useQuery } from "@tanstack/react-query";
import { CloudOff, FileJson, KeyRound, LockOpen } from "lucide-react";
import { useMemo, useState } from "react";
import { routeUrl } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardTitle } from "../../../ui/card.tsx";
import { FilterBar } from "../../../ui/filter-bar.tsx";
import { EmptyState, Skeleton } from "../../../ui/list-states.tsx";
import { RequestId } from "../../../ui/request-id.tsx";
import { apiAreaMessages, apiDocsMessages } from "../api-docs-messages.ts";
import { endpointMessages } from "../endpoint-messages.ts";
import { apiDocumentQuery, sourceAccessQuery } from "../queries.ts";
import { type ApiDocument, type Endpoint, endpointsOf, searchEndpoints } from "../read-openapi.ts";
import { EndpointEntry } from "./endpoint-entry.tsx";

const searchMaxLength = 100;

/** API Docs: the endpoints of the running server, from its OpenAPI document. */
export function ApiDocsTab() {
  const t = useMessages(apiDocsMessages);
  const { data, error, isFetching, refetch } = useQuery(apiDocumentQuery());
  return (
    <>
      <ApiAccess />
      {!data && error ? (
        <EmptyState
          icon={CloudOff}
          title={t("loadFailedTitle")}
          description={errorText(error)}
          actions={
            <>
              <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
                {t("retry")}
              </Button>
              <RequestId error={error} />
            </>
          }
        />
      ) : null}
      {!data && !error ? <Skeleton className="h-96 rounded-xl" /> : null}
      {data ? <Endpoints document={data as ApiDocument} /> : null}
    </>
  );
}

function Endpoints({ document }: { document: ApiDocument }) {
  const t = useMessages(apiDocsMessages);
  const [typed, setTyped] = useState("");
  const areaLabel = useMessages(apiAreaMessages);
  const { data: sources = [] } = useQuery(sourceAccessQuery());
  const summaryOf = useMessages(endpointMessages);
  const all = useMemo(
    () =>
      endpointsOf(document).map((endpoint) => {
        const route = `${endpoint.method} ${endpoint.path}`;
        return route in endpointMessages.pairs
          ? { ...endpoint, summary: summaryOf(route as "GET /api/leads") }
          : endpoint;
      }),
    [document, summaryOf],
  );
  const found = searchEndpoints(all, typed);
  const labelOf = (area: string) => (area in apiAreaMessages.pairs ? areaLabel(area as "leads") : area);
  const baseUrl = document.servers?.[0]?.url ?? window.location.origin;
  const secured = sources.some(({ access }) => access !== "open");
  return (
    <>
      <FilterBar
        search={typed}
        onSearch={setTyped}
        searchLabel={t("search")}
        searchPlaceholder={t("searchPlaceholder")}
        maxLength={searchMaxLength}
        clearLabel={t("clear")}
        onClear={typed ? () => setTyped("") : null}
      >
        <Button variant="secondary" asChild>
          <a href={routeUrl(getApiDocument)} target="_blank" rel="noreferrer">
            <FileJson aria-hidden />
            {t("download")}
          </a>
        </Button>
      </FilterBar>
      <p role="status" className="text-muted-foreground text-sm">
        {found.length > 0 ? t("found", { count: found.length }) : t("nothing")}
      </p>
      {byArea(found).map(([area, endpoints]) => (
        <section key={area} aria-label={labelOf(area)} className="grid gap-2">
          <h2 className="font-semibold text-sm">{labelOf(area)}</h2>
          <Card className="divide-y overflow-hidden">
            {endpoints.map((endpoint) => (
              <EndpointEntry key={endpoint.id} endpoint={endpoint} baseUrl={baseUrl} secured={secured} />
            ))}
          </Card>
        </section>
      ))}
    </>
  );
}

/** Areas that receive leads come first, as most readers need them. */
const firstAreas = ["imports", "webhooks"];

function byArea(endpoints: readonly Endpoint[]): [string, Endpoint[]][] {
  const areas = new Map<string, Endpoint[]>(firstAreas.map((area) => [area, []]));
  for (const endpoint of endpoints) areas.set(endpoint.area, [...(areas.get(endpoint.area) ?? []), endpoint]);
  return [...areas].filter(([, of]) => of.length > 0);
}

const tones: Record<WebhookSourceState["access"], BadgeTone> = {
  open: "warning",
  keyed: "success",
  closed: "danger",
};

/** How callers authenticate: the recorded sentence if no source requires a key, else what is required. */
function ApiAccess() {
  const t = useMessages(apiDocsMessages);
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
