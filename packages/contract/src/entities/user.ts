import { z } from "zod";
import { limits } from "../limits.ts";
import { listLayouts, listPages } from "./lead-list.ts";

export const roles = ["consultant", "admin"] as const;
export type Role = (typeof roles)[number];

export const themes = ["light", "dark", "auto"] as const;
export type Theme = (typeof themes)[number];

export const languages = ["en", "es"] as const;
export type Language = (typeof languages)[number];

/** How a person looks at one list: the layout, and the columns of its rows in order; without `columns` those that the list begins with. */
export const listSettingSchema = z.strictObject({
  layout: z.enum(listLayouts).optional(),
  columns: z
    .array(z.string().regex(/^[a-zA-Z]{1,40}$/))
    .min(1)
    .max(limits.listColumnsMax)
    .optional(),
});
export type ListSetting = z.infer<typeof listSettingSchema>;

/** The same by list; what is not named is as it was recorded. */
export const listSettingsSchema = z.partialRecord(z.enum(listPages), listSettingSchema);
export type ListSettings = z.infer<typeof listSettingsSchema>;

/** The signed-in user. */
export const currentUserSchema = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  /** As typed; null when none is set. */
  personalPhoneNumber: z.string().nullable(),
  /** Address of the picture, or a data URL; null when none is set. */
  profileImage: z.string().nullable(),
  theme: z.enum(themes),
  language: z.enum(languages),
  /** The auto-dialer rings by itself after the delay; off, each call waits for "Call now". */
  autoDial: z.boolean(),
  /** The own phone asks for 1 before a lead is dialled. */
  pressOne: z.boolean(),
  /** Keys without Ctrl, Alt or Cmd act on pages. */
  singleKeys: z.boolean(),
  lists: listSettingsSchema,
  /** The sidebar stays open on wide screens. */
  sidebarPinned: z.boolean(),
});
export type CurrentUser = z.infer<typeof currentUserSchema>;
