import { getApiDocument } from "@portal/contract/routes/integrations";
import { useQuery } from "@tanstack/react-query";
import { CloudOff, FileJson } from "lucide-react";
import { useMemo, useState } from "react";
import { routeUrl } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { FilterBar } from "../../../ui/filter-bar.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { apiAreaTexts, apiDocsTexts } from "../api-docs-texts.ts";
import { endpointTexts } from "../endpoint-texts.ts";
import { type ApiDocument, type Endpoint, endpointsOf, searchEndpoints } from "../openapi.ts";
import { apiDocumentQuery, sourceAccessQuery } from "../queries.ts";
import { ApiAccess } from "./api-access.tsx";
import { EndpointEntry } from "./endpoint-entry.tsx";

const searchMaxLength = 100;

/** API Docs (specification §2): the endpoints of the running server, from its own description. */
export function ApiDocsTab() {
  const t = useTexts(apiDocsTexts);
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
            <Button pending={isFetching} onClick={() => void refetch()}>
              {t("retry")}
            </Button>
          }
        />
      ) : null}
      {!data && !error ? <Skeleton className="h-96 rounded-xl" /> : null}
      {data ? <Endpoints document={data as ApiDocument} /> : null}
    </>
  );
}

function Endpoints({ document }: { document: ApiDocument }) {
  const t = useTexts(apiDocsTexts);
  const [typed, setTyped] = useState("");
  const areaLabel = useTexts(apiAreaTexts);
  const { data: sources = [] } = useQuery(sourceAccessQuery());
  const summaryOf = useTexts(endpointTexts);
  const all = useMemo(
    () =>
      endpointsOf(document).map((endpoint) => {
        const route = `${endpoint.method} ${endpoint.path}`;
        return route in endpointTexts.pairs
          ? { ...endpoint, summary: summaryOf(route as "GET /api/leads") }
          : endpoint;
      }),
    [document, summaryOf],
  );
  const found = searchEndpoints(all, typed);
  const labelOf = (area: string) => (area in apiAreaTexts.pairs ? areaLabel(area as "leads") : area);
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

/** Areas that take leads in from outside stand first: they are why one reads this. */
const firstAreas = ["imports", "webhooks"];

function byArea(endpoints: readonly Endpoint[]): [string, Endpoint[]][] {
  const areas = new Map<string, Endpoint[]>(firstAreas.map((area) => [area, []]));
  for (const endpoint of endpoints) areas.set(endpoint.area, [...(areas.get(endpoint.area) ?? []), endpoint]);
  return [...areas].filter(([, of]) => of.length > 0);
}
