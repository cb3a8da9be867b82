import { useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { keyDialog } from "../../../lib/keys.ts";
import { Button } from "../../../ui/button.tsx";
import { settingsMessages } from "./messages.ts";
import { showNoChanges, useSaveKeys } from "./queries.ts";
import { SettingsCard, ToggleRow } from "./settings-card.tsx";

/** Whether keys without Ctrl, Alt or Cmd act, and the way to the sheet of all keys. */
export function KeysSection({ isOn }: { isOn: boolean }) {
  const t = useMessages(settingsMessages);
  const [on, setOn] = useState(isOn);
  const save = useSaveKeys();
  return (
    <SettingsCard
      title={t("keysTitle")}
      description={t("keysDescription")}
      saveLabel={t(save.isPending ? "saving" : "saveKeys")}
      isPending={save.isPending}
      onSave={() => (on === isOn ? showNoChanges() : save.mutate(on))}
    >
      <ToggleRow label={t("singleKeys")} hint={t("singleKeysHint")} checked={on} onChange={setOn} />
      <Button
        variant="link"
        size="inline"
        className="justify-self-start"
        aria-haspopup="dialog"
        onClick={() => keyDialog.set("help")}
      >
        {t("showKeys")}
      </Button>
    </SettingsCard>
  );
}
