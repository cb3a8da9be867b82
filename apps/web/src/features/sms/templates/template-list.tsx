import { languages } from "@portal/contract/entities/user";
import { useRef } from "react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { templateMessages } from "../messages.ts";
import type { TemplatePicker } from "./use-template-picker.ts";

const TemplatesDialog = lateComponent(() => import("./templates-dialog.tsx"));

/** The found templates, above the text field, which keeps the focus. */
export function TemplateList({ picker }: { picker: TemplatePicker }) {
  const t = useMessages(templateMessages);
  const names = useMessages(leadLanguageMessages);
  const manage = useRef<HTMLButtonElement>(null);
  const { options, language } = picker;
  return (
    <div className="grid gap-1 rounded-lg border bg-surface p-1 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-1">
        <fieldset className="flex gap-1" aria-label={t("language")}>
          {languages.map((each) => (
            <Button
              key={each}
              size="sm"
              variant={each === language ? "soft" : "ghost"}
              aria-pressed={each === language}
              // Keeps the focus in the text field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => picker.chooseLanguage(each)}
            >
              {names(each)}
            </Button>
          ))}
        </fieldset>
        <Button
          ref={manage}
          size="sm"
          variant="ghost"
          onClick={() => openDialog((close) => <TemplatesDialog onClose={close} returnFocusTo={manage} />)}
        >
          {t("manage")}
        </Button>
      </div>
      <p
        role="status"
        className={options.length > 0 ? "sr-only" : "px-2 py-1.5 text-muted-foreground text-sm"}
      >
        {picker.isError
          ? t("loadFailed")
          : picker.isLoading
            ? t("loading")
            : options.length > 0
              ? t("found", { count: options.length })
              : t("noneFound")}
      </p>
      <div id={picker.listId} role="listbox" aria-label={t("list")} className="grid max-h-52 overflow-y-auto">
        {options.map((option, index) => (
          // The text field handles the keys, and names the active option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
          <div
            key={option.template.id}
            id={picker.optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === picker.active}
            ref={index === picker.active ? (row) => row?.scrollIntoView?.({ block: "nearest" }) : undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => picker.pick(option)}
            className={cn(
              "cursor-pointer rounded-md px-2 py-1.5 text-sm hover:bg-muted pointer-coarse:min-h-11",
              index === picker.active && "bg-primary-soft text-primary-text",
            )}
          >
            <span className="flex items-baseline gap-2">
              <span className="truncate font-medium">{option.template.name}</span>{" "}
              <span className="shrink-0 text-muted-foreground text-xs">
                {option.language === language ? null : t(`onlyIn_${option.language}`)}
              </span>
            </span>{" "}
            <span className="line-clamp-2 break-words text-muted-foreground text-xs">{option.text}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
