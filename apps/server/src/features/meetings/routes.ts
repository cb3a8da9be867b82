import * as contract from "@portal/contract/routes/meetings";
import type { FastifyInstance } from "fastify";
import { DateTime } from "luxon";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList } from "../../platform/http/list.ts";
import {
  countEarlierMeetings,
  countMeetings,
  findClash,
  listEarlierMeetings,
  listMeetings,
  type MeetingRow,
} from "./repository.ts";
import { scheduleMeeting } from "./schedule-meeting.ts";
import {
  calendarFile,
  changeMeeting,
  deleteMeeting,
  getMeeting,
  getMeetingRow,
  listFreeSlots,
  type MeetingsContext,
  presentMeeting,
} from "./service.ts";

/** Routes of a user's own meetings. */
export function registerMeetingRoutes(app: FastifyInstance, context: MeetingsContext): void {
  const { db } = context.database;
  const today = () => DateTime.now().setZone(context.orgTimeZone).startOf("day").toJSDate();
  const keysetOf = (row: MeetingRow) => ({ at: row.keysetAt, id: row.id });

  bindRoute(app, contract.listMeetings, ({ query, actor, reply }) => {
    const filter = {
      userId: actor.userId,
      from: query.from ? new Date(query.from) : today(),
      to: query.to ? new Date(query.to) : undefined,
      leadId: query.leadId,
    };
    return answerList(reply, query, {
      fetch: (after, limit) => listMeetings(db, { filter, after, limit }),
      keysetOf,
      present: presentMeeting,
      count: (cap) => countMeetings(db, { filter, cap }),
    });
  });

  bindRoute(app, contract.listEarlierMeetings, ({ query, actor, reply }) => {
    const asked = { userId: actor.userId, before: query.before ? new Date(query.before) : today() };
    return answerList(reply, query, {
      fetch: (after, limit) => listEarlierMeetings(db, { ...asked, after, limit }),
      keysetOf,
      present: presentMeeting,
      count: (cap) => countEarlierMeetings(db, { ...asked, cap }),
    });
  });

  bindRoute(app, contract.createMeeting, ({ body, actor }) =>
    scheduleMeeting(context, { actor, wanted: body }),
  );

  bindRoute(app, contract.updateMeeting, async ({ params, body, actor }) => {
    await changeMeeting(context, { actor, meetingId: params.id, input: body });
    return getMeeting(context, { actor, meetingId: params.id });
  });

  bindRoute(app, contract.deleteMeeting, async ({ params, actor }) => {
    await deleteMeeting(context, { actor, meetingId: params.id });
    return { message: "The meeting was deleted." };
  });

  bindRoute(app, contract.findClash, async ({ query, actor }) => {
    const [start, end] = [new Date(query.startTime), new Date(query.endTime)];
    if (end <= start) throw new AppError("invalid", "endTime: the meeting must end after it starts");
    const clash = await findClash(db, { userId: actor.userId, start, end, except: query.except ?? null });
    if (!clash) return { clash: null };
    const { title, startsAt, endsAt } = clash;
    return { clash: { title, startTime: startsAt.toISOString(), endTime: endsAt.toISOString() } };
  });

  bindRoute(app, contract.listFreeSlots, ({ query, actor }) =>
    listFreeSlots(context, {
      userId: actor.userId,
      minutes: query.minutes,
      zone: query.zone ?? context.orgTimeZone,
      leadZone: query.leadZone ?? null,
    }),
  );

  bindRoute(app, contract.downloadMeeting, async ({ params, actor, reply }) => {
    const meeting = await getMeetingRow(context, { actor, meetingId: params.id });
    const host = new URL(context.publicUrl).hostname;
    return reply
      .type("text/calendar; charset=utf-8")
      .header("content-disposition", `attachment; filename="meeting-${meeting.id}.ics"`)
      .header("cache-control", "private, no-store")
      .send(calendarFile(meeting, { organizer: { name: actor.name, email: actor.email }, host }));
  });
}
