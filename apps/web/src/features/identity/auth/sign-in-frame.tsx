import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { LANGUAGES, type Language, setLanguage, useLanguage, useMessages } from "../../../lib/i18n.ts";
import { STORAGE_KEYS, writeStored } from "../../../lib/storage-keys.ts";
import { Input } from "../../../ui/input.tsx";
import { Logo } from "../../../ui/logo.tsx";
import { authMessages } from "./messages.ts";

/** Each language's name in itself, so that users can find their own. */
const NAMES: Record<Language, string> = { en: "English", es: "Español" };

/** Switches the language; the choice survives a reload and overrides the account's at the next sign-in. */
export function LanguageSwitch() {
  const t = useMessages(authMessages);
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
            writeStored(STORAGE_KEYS.languagePicked, "true");
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

/** A decorative picture beside the form. */
function BrandPanel() {
  return (
    <div
      aria-hidden
      className="relative m-3 hidden overflow-hidden rounded-3xl bg-[radial-gradient(120%_90%_at_80%_10%,oklch(0.5_0.1_165),oklch(0.3_0.06_172)_55%,oklch(0.2_0.035_178))] lg:block"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 600 800"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full"
      >
        <defs>
          <linearGradient id="line" gradientUnits="userSpaceOnUse" x1="0" x2="425">
            <stop offset="0" stopColor="white" stopOpacity="0" />
            <stop offset="0.55" stopColor="white" stopOpacity="0.32" />
            <stop offset="1" stopColor="oklch(0.88 0.15 88)" stopOpacity="0.9" />
          </linearGradient>
          <radialGradient id="glow">
            <stop offset="0" stopColor="oklch(0.95 0.12 92)" stopOpacity="0.95" />
            <stop offset="0.06" stopColor="oklch(0.9 0.15 88)" stopOpacity="0.5" />
            <stop offset="0.22" stopColor="oklch(0.85 0.155 85)" stopOpacity="0.2" />
            <stop offset="0.5" stopColor="oklch(0.85 0.155 85)" stopOpacity="0.06" />
            <stop offset="1" stopColor="oklch(0.85 0.155 85)" stopOpacity="0" />
          </radialGradient>
        </defs>
        <g fill="none" stroke="url(#line)" strokeWidth="1.25">
          {LINES.map((y) => (
            <path key={y} d={`M-20 ${y} C 180 ${y}, 220 ${400 + (y - 400) * 0.32}, 425 400`} />
          ))}
        </g>
        <circle cx="425" cy="400" r="260" fill="url(#glow)" />
        <circle cx="425" cy="400" r="4" fill="oklch(0.97 0.05 95)" />
      </svg>
    </div>
  );
}

const LINES = Array.from({ length: 21 }, (_, index) => -60 + index * 46);

interface SignInFrameProps {
  heading: ReactNode;
  subtitle: ReactNode;
  children: ReactNode;
}

/** Layout of the pages without a session: a column beside a picture. */
export function SignInFrame({ heading, subtitle, children }: SignInFrameProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)]">
      <main className="flex flex-col px-6 py-6 sm:px-10">
        <Logo />
        <div className="mx-auto grid w-full max-w-sm flex-1 content-center gap-8 py-10">
          <div className="grid gap-2">
            <h1 className="font-semibold text-[1.75rem] leading-9">{heading}</h1>
            <p className="text-balance text-muted-foreground">{subtitle}</p>
          </div>
          {children}
        </div>
      </main>
      <BrandPanel />
    </div>
  );
}

/** A password field with a button that reveals it. */
export function PasswordInput({ className, ...props }: ComponentProps<"input">) {
  const t = useMessages(authMessages);
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...props} type={shown ? "text" : "password"} className={cn("pr-12", className)} />
      <button
        type="button"
        aria-label={shown ? t("hidePassword") : t("showPassword")}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-r-md text-muted-foreground transition-colors hover:text-foreground"
      >
        <Icon aria-hidden className="size-4.5" />
      </button>
    </div>
  );
}
