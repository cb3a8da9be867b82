import type { IntakeSourceState } from "@portal/contract/entities/lead-webhook";
import { useTexts } from "../../../lib/i18n.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { sourceDialogTexts } from "../texts.ts";
import { ClientSecretForm } from "./client-secret-form.tsx";
import { KeySection } from "./key-section.tsx";
import { OrganizationForm } from "./organization-form.tsx";

/** Where a sender posts to, how it proves who it is, and the keys for that. */
export function SetupPanel({ state, isAdmin }: { state: IntakeSourceState; isAdmin: boolean }) {
  const t = useTexts(sourceDialogTexts);
  const { source, address } = state;
  return (
    <>
      <CopyField label={t("address")} value={address} hint={t("addressHint")} />
      <p className="text-sm">{t(`how_${source}`)}</p>
      {isAdmin ? (
        <>
          <KeySection state={state} />
          {source === "hubspot" ? <ClientSecretForm isSet={state.hasClientSecret} /> : null}
          {source === "salesforce" ? (
            <OrganizationForm key={state.organizationId} organizationId={state.organizationId} />
          ) : null}
        </>
      ) : (
        <p className="text-muted-foreground text-sm">{t("adminOnly")}</p>
      )}
    </>
  );
}
