import { getCurrentUser } from "@portal/contract/routes/auth";
import { ApiError, callRoute } from "../../lib/api.ts";

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
