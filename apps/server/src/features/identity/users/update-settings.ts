import type { CallSettings, NotificationSettings, Settings } from "@portal/contract/entities/settings";
import { AppError } from "../../../platform/http/app-error.ts";
import { signInWays } from "../auth/list-sign-in-ways.ts";
import type { UserPatch, UserRow } from "./repository.ts";
import { changeUser, getUser, type UsersContext } from "./service.ts";

type Sent<T> = { [Key in keyof T]?: T[Key] | undefined };

const notificationColumns = {
  email: "emailNotices",
  sms: "smsNotices",
  calls: "callNotices",
  meetings: "meetingNotices",
  pushNames: "pushNames",
} as const satisfies Record<keyof NotificationSettings, keyof UserRow>;

function presentCalls(row: UserRow): CallSettings {
  const { callRecording, voicemailTranscription, autoDial, pressOne } = row;
  return { callRecording, voicemailTranscription, autoDial, pressOne };
}

function presentNotifications(row: UserRow): NotificationSettings {
  const { emailNotices, smsNotices, callNotices, meetingNotices, pushNames } = row;
  return { email: emailNotices, sms: smsNotices, calls: callNotices, meetings: meetingNotices, pushNames };
}

const given = <T extends object>(sent: T) =>
  Object.entries(sent).filter(([, value]) => value !== undefined) as [string, boolean][];

/** What the settings page shows beside the current user. */
export async function getSettings(
  context: UsersContext & Parameters<typeof signInWays>[0],
  userId: number,
): Promise<Settings> {
  const [row, signIn] = await Promise.all([
    getUser(context.database.db, userId),
    signInWays(context, userId),
  ]);
  if (!row) throw new AppError("unauthenticated");
  return {
    notifications: presentNotifications(row),
    calls: presentCalls(row),
    mail: context.notifications.mailer !== null,
    signIn,
  };
}

/** Keeps the call settings that are sent with the account. */
export async function updateCallSettings(
  context: UsersContext,
  { userId, ...sent }: { userId: number } & Sent<CallSettings>,
): Promise<CallSettings> {
  const patch: UserPatch = Object.fromEntries(given(sent));
  return presentCalls(await changeUser(context, userId, patch));
}

/** Keeps the notifications that are wanted with the account. */
export async function updateNotificationSettings(
  context: UsersContext,
  { userId, ...sent }: { userId: number } & Sent<NotificationSettings>,
): Promise<NotificationSettings> {
  const patch: UserPatch = Object.fromEntries(
    given(sent).map(([kind, wanted]) => [notificationColumns[kind as keyof NotificationSettings], wanted]),
  );
  return presentNotifications(await changeUser(context, userId, patch));
}
