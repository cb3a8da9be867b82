import { limits } from "@portal/contract/limits";
import { formatMoney } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";

/** What a client is worth: from 1000 blue, from 5000 green (specification §9). */
export function ValueBadge({ value }: { value: number }) {
  const tone =
    value >= limits.valueBadgeGreen ? "success" : value >= limits.valueBadgeBlue ? "info" : "neutral";
  const text = formatMoney(value);
  return (
    <Badge tone={tone} title={text} className="block w-fit tabular-nums">
      {text}
    </Badge>
  );
}
