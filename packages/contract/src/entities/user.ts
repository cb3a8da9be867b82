import { z } from "zod";
import { limits } from "../limits.ts";
import { listLayouts, listPages } from "./lead-list.ts";

export const roles = ["consultant", "admin"] as const;
export type Role = (typeof roles)[number];

export const themes = ["light", "dark", "auto"] as const;
export type Theme = (typeof themes)[number];

export const languages = ["en", "es"] as const;
export type Language = (typeof languages)[number];

/**
 * A user's settings for one list: the layout, and the columns of its rows in order. Without `columns` the list shows its default columns.
 */
export const listSettingSchema = z.strictObject({
  layout: z.enum(listLayouts).optional(),
  columns: z
    .array(z.string().regex(/^[a-zA-Z]{1,40}$/))
    .min(1)
    .max(limits.listColumnsMax)
    .optional(),
});
export type ListSetting = z.infer<typeof listSettingSchema>;

/** List settings by list; lists that are missing use the recorded layout. */
export const listSettingsSchema = z.partialRecord(z.enum(listPages), listSettingSchema);
export type ListSettings = z.infer<typeof listSettingsSchema>;

/** The signed-in user. */
export const currentUserSchema = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  /** As typed; null if not set. */
  personalPhoneNumber: z.string().nullable(),
  /** URL of the picture or a data URL; null if not set. */
  profileImage: z.string().nullable(),
  theme: z.enum(themes),
  language: z.enum(languages),
  /** The auto-dialer dials the next lead after the delay. If false, each call waits for "Call now". */
  autoDial: z.boolean(),
  /** The user must press 1 on their own phone before a lead is dialed. */
  pressOne: z.boolean(),
  /** Whether single-key shortcuts (without Ctrl, Alt or Cmd) are enabled. */
  singleKeys: z.boolean(),
  lists: listSettingsSchema,
  /** Whether the sidebar stays open on wide screens. */
  sidebarPinned: z.boolean(),
});
export type CurrentUser = z.infer<typeof currentUserSchema>;
