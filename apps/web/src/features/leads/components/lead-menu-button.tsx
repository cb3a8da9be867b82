import { EllipsisVertical } from "lucide-react";
import type { ComponentProps } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { leadCardMessages } from "../messages.ts";

/** The button of a lead's menu, the same before and after the menu's code has loaded. */
export function LeadMenuButton({ name, ...props }: { name: string } & ComponentProps<"button">) {
  const t = useMessages(leadCardMessages);
  return (
    <Button variant="secondary" size="icon" aria-label={t("more", { name })} {...props}>
      <EllipsisVertical aria-hidden />
    </Button>
  );
}
