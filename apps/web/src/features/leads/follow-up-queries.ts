import { type FollowUpGroup, listFollowUps } from "@portal/contract/routes/assignment";
import { keepPreviousData } from "@tanstack/react-query";
import { routeQuery } from "../../lib/query-client.ts";

/** The follow-ups of a group, and how many each group has; read anew whenever they are opened. */
export function followUpsQuery(group: FollowUpGroup) {
  return {
    ...routeQuery(listFollowUps, { query: { group } }),
    staleTime: 0,
    // The figures of the other groups stay on screen while a group is read.
    placeholderData: keepPreviousData,
  };
}
