import type { CallSettings } from "@portal/contract/entities/settings";
import { useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { changedValues } from "../changed-values.ts";
import { tellNoChanges, useSaveCallSettings } from "../queries.ts";
import { settingsTexts } from "../texts.ts";
import { SettingsCard } from "./settings-card.tsx";
import { ToggleRow } from "./toggle-row.tsx";

const toggles = ["callRecording", "voicemailTranscription", "autoDial", "pressOne"] as const;

/** How calls are made and kept (specification §2, Settings). */
export function CallSection({ calls }: { calls: CallSettings }) {
  const t = useTexts(settingsTexts);
  const [values, setValues] = useState(calls);
  const save = useSaveCallSettings();

  const submit = () => {
    const changes = changedValues(calls, values);
    if (changes === null) tellNoChanges();
    else save.mutate(changes);
  };

  return (
    <SettingsCard
      title={t("callTitle")}
      description={t("callDescription")}
      saveLabel={t(save.isPending ? "saving" : "saveCalls")}
      isPending={save.isPending}
      onSave={submit}
    >
      {toggles.map((toggle) => (
        <ToggleRow
          key={toggle}
          label={t(toggle)}
          hint={t(`${toggle}Hint`)}
          checked={values[toggle]}
          onChange={(on) => setValues((now) => ({ ...now, [toggle]: on }))}
        />
      ))}
    </SettingsCard>
  );
}
