import { cn } from "../../../lib/cn.ts";
import { LANGUAGES, type Language, setLanguage, useLanguage, useTexts } from "../../../lib/i18n.ts";
import { authTexts } from "../texts.ts";

/** Each language in its own words, so that one finds one's way back. */
const NAMES: Record<Language, string> = { en: "English", es: "Español" };

export function LanguageSwitch({ onPick }: { onPick: () => void }) {
  const t = useTexts(authTexts);
  const current = useLanguage();
  return (
    <fieldset className="flex items-center gap-1 text-sm">
      <legend className="sr-only">{t("language")}</legend>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === current}
          onClick={() => {
            setLanguage(language);
            onPick();
          }}
          className={cn(
            "rounded-md px-2.5 py-1 font-medium transition-colors first-of-type:-ml-2.5 pointer-coarse:min-h-11",
            language === current ? "text-primary-text" : "text-muted-foreground hover:text-foreground",
          )}
        >
          {NAMES[language]}
        </button>
      ))}
    </fieldset>
  );
}
