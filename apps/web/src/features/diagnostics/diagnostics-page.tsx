import { integrations } from "@portal/contract/entities/diagnostics";
import { checkIntegration } from "@portal/contract/routes/integrations";
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plug, RotateCw } from "lucide-react";
import { useTexts } from "../../lib/i18n.ts";
import { invalidatePaths, readsPath } from "../../lib/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { IntegrationCard } from "./components/integration-card.tsx";
import { diagnosticsTexts } from "./texts.ts";

const paths = [checkIntegration.path.replace("/:integration", "")];

/** Every integration, looked at live, each by itself: one that hangs keeps no other waiting. */
export function DiagnosticsPage() {
  const t = useTexts(diagnosticsTexts);
  const client = useQueryClient();
  const isChecking = useIsFetching({ predicate: (query) => readsPath(query, paths) }) > 0;
  return (
    <div className="grid max-w-4xl gap-5">
      <PageHeader
        title={t("title")}
        subtitle={t("subtitle")}
        actions={
          <>
            <Button variant="ghost" asChild>
              <Link to="/integrations">
                <Plug aria-hidden />
                {t("integrations")}
              </Link>
            </Button>
            <Button
              variant="secondary"
              pending={isChecking}
              onClick={() => void invalidatePaths(client, paths)}
            >
              {isChecking ? null : <RotateCw aria-hidden />}
              {t(isChecking ? "checking" : "checkAll")}
            </Button>
          </>
        }
      />
      {integrations.map((integration) => (
        <IntegrationCard key={integration} integration={integration} />
      ))}
    </div>
  );
}
