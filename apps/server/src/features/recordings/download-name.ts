import { foldText } from "../../values/search-text.ts";

const extensions: Record<string, string> = {
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
};

/**
 * A file name that says what it holds, for example call-2026-11-20-maria-garcia.mp3: the day in the organisation's zone, and
 * letters, digits and dashes only, so that it needs no encoding in a header or a file system.
 */
export function downloadName(
  recording: { kind: "call" | "voicemail"; createdAt: Date; leadName: string | null; timeZone: string },
  contentType: string,
): string {
  const day = new Intl.DateTimeFormat("en-CA", {
    timeZone: recording.timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(recording.createdAt);
  const name = foldText(recording.leadName ?? "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${[recording.kind, day, name].filter(Boolean).join("-")}.${extensions[contentType] ?? "mp3"}`;
}
