import { randomBytes } from "node:crypto";

/** The columns of a meeting that lies in nobody's calendar. */
export const nowhere = { googleEventId: null, googleUserId: null, googleEtag: null, googleBase: null };

/** Google takes the digits of base32hex; hexadecimal ones are among them. */
export const newEventId = () => `portal${randomBytes(16).toString("hex")}`;

/** Whether an event has its id from here, and was not made in Google. */
export const isOurEventId = (id: string) => /^portal[0-9a-f]{32}$/.test(id);
