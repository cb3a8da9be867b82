import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Input } from "../../../ui/input.tsx";
import { authTexts } from "../texts.ts";

/** A password that can be revealed. */
export function PasswordInput({ className, ...props }: ComponentProps<"input">) {
  const t = useTexts(authTexts);
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
