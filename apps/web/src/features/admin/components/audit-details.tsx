import { useTexts } from "../../../lib/i18n.ts";
import { logTexts } from "../texts.ts";

const worded = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

/** The facts of an entry, as they were written down. */
export function AuditDetails({ data }: { data: Record<string, unknown> }) {
  const t = useTexts(logTexts);
  const facts = Object.entries(data);
  if (facts.length === 0) return <span className="text-muted-foreground">{t("noDetails")}</span>;
  return (
    <ul className="grid gap-0.5 text-xs leading-5">
      {facts.map(([name, value]) => (
        <li key={name}>
          <span className="text-muted-foreground">{name}:</span> {worded(value)}
        </li>
      ))}
    </ul>
  );
}
