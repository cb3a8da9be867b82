import type { Availability } from "@portal/contract/entities/availability";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { toast } from "../../../ui/toast.ts";
import {
  AvailabilityFields,
  draftChanges,
  draftFault,
  draftOf,
} from "../../availability/availability-fields.tsx";
import { availabilityMessages } from "../../availability/messages.ts";
import { availabilityQuery, useUpdateAvailability } from "../../availability/queries.ts";
import { showNoChanges } from "./queries.ts";
import { SettingsCard } from "./settings-card.tsx";

/** One's own working hours and stand-in. */
export function AvailabilitySection({ userId }: { userId: number }) {
  const { data } = useQuery(availabilityQuery());
  return data ? <HoursCard userId={userId} saved={data} /> : null;
}

function HoursCard({ userId, saved }: { userId: number; saved: Availability }) {
  const t = useMessages(availabilityMessages);
  const [draft, setDraft] = useState(draftOf(saved));
  const { mutate, isPending } = useUpdateAvailability();
  const save = () => {
    const changes = draftChanges(draftOf(saved), draft);
    if (changes === null) showNoChanges();
    else mutate(changes, { onSuccess: () => toast({ title: t("saved"), tone: "success" }) });
  };
  return (
    <SettingsCard
      title={t("sectionTitle")}
      description={t("sectionText")}
      saveLabel={t(isPending ? "saving" : "save")}
      isPending={isPending}
      isDisabled={draftFault(draft) !== null}
      onSave={save}
    >
      <AvailabilityFields draft={draft} userId={userId} onChange={setDraft} />
    </SettingsCard>
  );
}
