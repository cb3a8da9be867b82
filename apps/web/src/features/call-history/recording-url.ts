import { getRecording } from "@portal/contract/routes/recordings";
import { routeUrl } from "../../lib/api.ts";

/** Where a recording is streamed from. */
export function recordingUrl(recordingSid: string): string {
  return routeUrl(getRecording, { params: { recordingSid } });
}
