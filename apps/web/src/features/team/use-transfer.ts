import { type TeamMember, transferMemberLeads } from "@portal/contract/routes/team";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError, callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { formatNumber } from "../../lib/format.ts";
import { textOf } from "../../lib/i18n.ts";
import { toast } from "../../ui/toast.ts";
import { refreshLeads } from "../leads/queries.ts";
import { teamDialogTexts } from "./dialog-texts.ts";
import { refreshTeam } from "./queries.ts";

interface Transfer {
  /** Ids of the consultants who get the leads, in turns. */
  to: readonly number[];
  notes: string | null;
}

export interface TransferProgress {
  done: number;
  total: number;
}

/** Gives the leads of a person away, request after request until none is left or it is stopped, and tells how it went. */
export function useTransfer({ id, name, leads }: TeamMember) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<TransferProgress>({ done: 0, total: leads });
  const [isStopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const run = useMutation({
    mutationFn: async ({ to, notes }: Transfer): Promise<{ done: number; left: number }> => {
      stopped.current = false;
      setStopping(false);
      let done = 0;
      for (;;) {
        const body = { to: [...to], notes };
        const { transferred, left } = await callRoute(transferMemberLeads, { params: { id }, body });
        done += transferred;
        setProgress({ done, total: done + left });
        // Nothing went: what is left cannot go, and asking on would never end.
        if (left === 0 || transferred === 0 || stopped.current) return { done, left };
      }
    },
    onSuccess: ({ done, left }) => {
      const t = textOf(teamDialogTexts);
      const words = [t("transferred", { count: done, n: formatNumber(done), name })];
      if (left > 0) words.push(t("left", { count: left, n: formatNumber(left) }));
      toast({
        title: t("transferredTitle"),
        description: words.join(" "),
        tone: left > 0 ? "warning" : "success",
      });
    },
    onError: (error) => {
      const t = textOf(teamDialogTexts);
      // A refusal says why; that the server failed is no reason that helps.
      const reason = error instanceof ApiError && error.status < 500 ? ` ${errorText(error)}` : "";
      toast({ title: t("errorTitle"), description: `${t("transferFailed")}${reason}`, tone: "destructive" });
    },
    onSettled: () => Promise.all([refreshTeam(client), refreshLeads(client)]),
  });
  return {
    progress,
    isStopping,
    isRunning: run.isPending,
    start: run.mutateAsync,
    /** Ends it after the request under way. */
    stop() {
      stopped.current = true;
      setStopping(true);
    },
  };
}
