import type { OrganisationSettings } from "@portal/contract/entities/settings";
import { firstCallMinutes } from "@portal/contract/entities/today";
import { roles } from "@portal/contract/entities/user";
import { getOrganisationSettings } from "@portal/contract/routes/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { RowsFailed, Skeleton } from "../../../ui/list-states.tsx";
import { settingsMessages } from "./messages.ts";
import { changedValues, showNoChanges, useSaveOrganisation } from "./queries.ts";
import { isWithin, NumberField, SettingsCard, ToggleRow } from "./settings-card.tsx";

/** Settings of administrators for the whole organisation. */
export function OrganisationSection() {
  const { data, error, refetch } = useQuery(routeQuery(getOrganisationSettings));
  if (data) return <OrganisationForm settings={data} />;
  return error ? (
    <RowsFailed message={errorText(error)} error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton className="h-48 rounded-xl" />
  );
}

function OrganisationForm({ settings }: { settings: OrganisationSettings }) {
  const t = useMessages(settingsMessages);
  const [values, setValues] = useState(settings);
  const save = useSaveOrganisation();

  const submit = () => {
    const changes = changedValues(settings, values);
    if (changes === null) showNoChanges();
    else save.mutate(changes);
  };

  return (
    <SettingsCard
      title={t("organisationTitle")}
      description={t("organisationDescription")}
      saveLabel={t(save.isPending ? "saving" : "saveOrganisation")}
      isPending={save.isPending}
      isDisabled={!isWithin(values.firstCallMinutes, firstCallMinutes)}
      onSave={submit}
    >
      <ToggleRow
        label={t("machineDetection")}
        hint={t("machineDetectionHint")}
        checked={values.machineDetection}
        onChange={(machineDetection) => setValues({ ...values, machineDetection })}
      />
      <ToggleRow
        label={t("voicemailDrop")}
        hint={t("voicemailDropHint")}
        checked={values.voicemailDrop}
        onChange={(voicemailDrop) => setValues({ ...values, voicemailDrop })}
      />
      {roles.map((role) => (
        <ToggleRow
          key={role}
          label={t(`secondFactor_${role}`)}
          hint={t("secondFactorHint")}
          checked={values.secondFactorRoles.includes(role)}
          onChange={(on) =>
            setValues({
              ...values,
              secondFactorRoles: roles.filter((each) =>
                each === role ? on : values.secondFactorRoles.includes(each),
              ),
            })
          }
        />
      ))}
      <NumberField
        label={t("firstCallMinutes")}
        hint={t("firstCallMinutesHint")}
        value={values.firstCallMinutes}
        range={firstCallMinutes}
        onChange={(minutes) => setValues({ ...values, firstCallMinutes: minutes })}
      />
    </SettingsCard>
  );
}
