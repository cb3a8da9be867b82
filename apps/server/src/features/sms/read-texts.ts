import type { Session } from "../../http/session.ts";
import { announceTexts } from "./apply-news.ts";
import { markRead } from "./data.ts";
import { checkMaySee, isOwner } from "./policy.ts";
import type { SmsContext } from "./service.ts";

/**
 * Marks a lead's texts as seen, where its owner looks; an administrator's look at another's lead leaves them unseen.
 * Answers how many. Errors: `not_found`, `not_your_lead`.
 */
export async function readTexts(
  context: Pick<SmsContext, "database">,
  { actor, leadId }: { actor: Session; leadId: number },
): Promise<number> {
  const lead = await checkMaySee(context.database.db, actor, leadId);
  if (!isOwner(actor, lead)) return 0;
  return context.database.transaction(async (tx) => {
    const marked = await markRead(tx, leadId);
    if (marked > 0) await announceTexts(tx, leadId, actor.userId);
    return marked;
  });
}
