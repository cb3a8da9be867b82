import type { Meeting } from "@portal/contract/entities/meeting";
import {
  createMeeting,
  deleteMeeting,
  findClash,
  getGoogleStatus,
  listEarlierMeetings,
  listFreeSlots,
  listMeetings,
  updateMeeting,
} from "@portal/contract/routes/meetings";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routePages, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import type { MeetingBody } from "./meeting-draft.ts";
import { meetingMessages } from "./meeting-messages.ts";
import { browserZone } from "./meeting-values.ts";

const pageSize = 100;
const calendarPaths = ["/api/calendar"];

/** The user's meetings from an instant on, in pages. */
export function meetingPages(from: string) {
  return { ...routePages(listMeetings, { query: { from, limit: pageSize } }), staleTime: 0 };
}

/** The user's meetings that ended before an instant, latest first, in pages. */
export function earlierPages(before: string) {
  return { ...routePages(listEarlierMeetings, { query: { before } }), staleTime: 0 };
}

/** The user's meetings between two instants. */
export function meetingsBetween(from: string, to: string) {
  return { ...routeQuery(listMeetings, { query: { from, to, limit: pageSize } }), staleTime: 0 };
}

/** The user's connection to Google Calendar. */
export function googleStatusQuery() {
  return routeQuery(getGoogleStatus);
}

/** The meeting that the chosen time overlaps; fetched once the time is known. */
export function clashQuery(times: { start: Date; end: Date } | null, except: number | undefined) {
  return {
    ...routeQuery(findClash, {
      query: {
        startTime: times?.start.toISOString() ?? "",
        endTime: times?.end.toISOString() ?? "",
        except,
      },
    }),
    enabled: times !== null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  };
}

/** Free slots for a meeting. They do not change while the form is open, so that nothing moves; the server checks a chosen one again. */
export function freeSlotsQuery(asked: { minutes: number; leadZone: string | null; tries: number }) {
  const { minutes, leadZone } = asked;
  return queryOptions({
    queryKey: ["free slots of a form", asked],
    queryFn: () =>
      callRoute(listFreeSlots, {
        query: { minutes, zone: browserZone(), ...(leadZone !== null && { leadZone }) },
      }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether a slot was taken meanwhile; the form shows that. */
export const isSlotTaken = (error: unknown) => error instanceof ApiError && error.code === "slot_taken";

function showFailure(error: unknown, key: "saveFailed" | "deleteFailed"): void {
  const t = messagesOf(meetingMessages);
  toast({
    title: t("errorTitle"),
    description: t(key, { message: errorText(error) }),
    error,
    tone: "destructive",
  });
}

/** Schedules a meeting; the reference makes a repeated request harmless. */
export function useCreateMeeting() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: MeetingBody & { clientRef: string; onlyIfFree: boolean }) =>
      callRoute(createMeeting, { body }),
    onSuccess: ({ title }) => {
      const t = messagesOf(meetingMessages);
      toast({ title: t("scheduledTitle"), description: t("scheduledText", { title }), tone: "success" });
      return invalidatePaths(client, calendarPaths);
    },
    onError: (error) => {
      if (!isSlotTaken(error)) showFailure(error, "saveFailed");
    },
  });
}

/** Saves the changed fields of a meeting. */
export function useUpdateMeeting(meeting: Meeting | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<MeetingBody>) =>
      callRoute(updateMeeting, { params: { id: meeting?.id ?? 0 }, body }),
    onSuccess: ({ title }) => {
      const t = messagesOf(meetingMessages);
      toast({ title: t("updatedTitle"), description: t("updatedText", { title }), tone: "success" });
      return invalidatePaths(client, calendarPaths);
    },
    onError: (error) => showFailure(error, "saveFailed"),
  });
}

export function useDeleteMeeting() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Meeting) => callRoute(deleteMeeting, { params: { id } }),
    onSuccess: (_answer, { title }) => {
      const t = messagesOf(meetingMessages);
      toast({ title: t("deletedTitle"), description: t("deletedText", { title }), tone: "success" });
      return invalidatePaths(client, calendarPaths);
    },
    onError: (error) => showFailure(error, "deleteFailed"),
  });
}
