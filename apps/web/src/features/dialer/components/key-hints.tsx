import { useTexts } from "../../../lib/i18n.ts";
import { wrapUpTexts } from "../wrap-up-texts.ts";

const keyClasses =
  "rounded border bg-muted px-1.5 py-px font-medium font-sans text-[0.6875rem] text-foreground leading-4";

/** The keys of the wrap-up, where there is a keyboard. */
export function KeyHints() {
  const t = useTexts(wrapUpTexts);
  const hints = [
    { keys: "1–6", means: t("keyOutcome") },
    { keys: t("enter"), means: t("keySave") },
    { keys: `${t("control")} ${t("enter")}`, means: t("keySaveNotes") },
    { keys: t("space"), means: t("keyPause") },
    { keys: "S", means: t("keySkip") },
  ];
  return (
    <ul
      aria-label={t("keys")}
      className="flex flex-wrap gap-x-4 gap-y-1 text-muted-foreground text-xs max-sm:hidden pointer-coarse:hidden"
    >
      {hints.map(({ keys, means }) => (
        <li key={keys}>
          <kbd className={keyClasses}>{keys}</kbd> {means}
        </li>
      ))}
    </ul>
  );
}
