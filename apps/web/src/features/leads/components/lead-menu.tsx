import type { Lead } from "@portal/contract/entities/lead";
import { useLateMenu } from "../../../ui/use-late-menu.ts";
import { LeadMenuButton } from "./lead-menu-button.tsx";

const loadList = () => import("./lead-menu-list.tsx");

/** Further actions for a lead. The menu's code is loaded on hover or focus of its button. */
export function LeadMenu({ lead }: { lead: Lead }) {
  const { menu, opened, trigger } = useLateMenu(loadList);
  if (!menu) return <LeadMenuButton name={lead.name} {...trigger} />;
  return <menu.default lead={lead} opened={opened} />;
}
