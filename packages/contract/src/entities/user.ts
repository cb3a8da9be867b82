import { z } from "zod";

export const roles = ["consultant", "admin"] as const;
export type Role = (typeof roles)[number];

export const themes = ["light", "dark", "auto"] as const;
export type Theme = (typeof themes)[number];

export const languages = ["en", "es"] as const;
export type Language = (typeof languages)[number];

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
});
export type CurrentUser = z.infer<typeof currentUserSchema>;
