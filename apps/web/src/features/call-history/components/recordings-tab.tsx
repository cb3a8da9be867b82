import type { Recording } from "@portal/contract/entities/recording";
import { useInfiniteQuery } from "@tanstack/react-query";
import { AudioLines } from "lucide-react";
import { useMemo } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { PagedList } from "../../../ui/paged-list.tsx";
import { useLoudspeaker } from "../../player/one-player.ts";
import { recordingPages } from "../queries.ts";
import { recordingUrl } from "../recording-url.ts";
import { recordingsTexts } from "../texts.ts";
import { RecordingEntry } from "./recording-entry.tsx";

const estimatedRowPx = 190;
const idOf = ({ id }: Recording) => id;
const soundOf = ({ recordingSid }: Recording) => (recordingSid ? recordingUrl(recordingSid) : null);

/** The provider's recordings, newest first (specification §2, Recordings tab). */
export function RecordingsTab() {
  const t = useTexts(recordingsTexts);
  const playing = useLoudspeaker();
  const found = useInfiniteQuery(recordingPages());
  const { data } = found;
  const recordings = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  return (
    <PagedList
      found={found}
      items={recordings}
      keyOf={idOf}
      isKept={(recording) => playing !== null && soundOf(recording) === playing}
      label={t("list")}
      loading={t("loading")}
      failedTitle={t("loadFailedTitle")}
      estimatePx={estimatedRowPx}
      renderRow={(recording) => <RecordingEntry recording={recording} />}
      empty={<EmptyState icon={AudioLines} title={t("emptyTitle")} description={t("emptyText")} />}
    />
  );
}
