import { limits } from "@portal/contract/limits";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { ApiError, answersOk, callRoute } from "../../lib/api.ts";

/** Whether somebody is signed in, asked of the server. Throws where it cannot be reached. */
export async function checkSignedIn(): Promise<boolean> {
  try {
    await callRoute(getCurrentUser);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

/** Whether the server hands a recording out: false where it refuses, is silent for as long as a recording may load, or cannot be reached. */
export async function isServed(url: string): Promise<boolean> {
  try {
    return await answersOk(url, AbortSignal.timeout(limits.audioLoadTimeoutMs));
  } catch {
    return false;
  }
}
