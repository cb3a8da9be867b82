import type { Lead } from "@portal/contract/entities/lead";
import { lazy, Suspense, useState } from "react";
import { LeadMenuButton } from "./lead-menu-button.tsx";

const loadList = () => import("./lead-menu-list.tsx");
const LeadMenuList = lazy(loadList);

/** What else can be done with a lead. The menu's code comes with the first pointer or focus on its button. */
export function LeadMenu({ lead }: { lead: Lead }) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <LeadMenuButton
      name={lead.name}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void loadList()}
      onFocus={() => void loadList()}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => key === "ArrowDown" && setWanted(true)}
    />
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <LeadMenuList lead={lead} />
    </Suspense>
  ) : (
    button
  );
}
