import type { Language } from "@portal/contract/entities/user";
import type { FilledTemplate } from "@portal/contract/routes/sms-templates";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";
import { useLanguage } from "../../../lib/i18n.ts";
import { filledTemplatesQuery } from "./queries.ts";
import { isNamed, readSlash, type Slash } from "./read-slash.ts";

export interface TemplateOption {
  template: FilledTemplate;
  /** The words that are inserted, and their language: another than the chosen one where there are no others. */
  text: string;
  language: Language;
}

interface PickerInput {
  leadId: number;
  field: RefObject<HTMLTextAreaElement | null>;
  typed: string;
  /** Puts words in the place of the slash and its word. */
  onPick: (option: TemplateOption, slash: Slash) => void;
}

function optionsOf(templates: readonly FilledTemplate[], language: Language): TemplateOption[] {
  return templates.flatMap((template) => {
    const other = language === "en" ? "es" : "en";
    const used = template[language] === null ? other : language;
    const text = template[used];
    return text === null ? [] : { template, text, language: used };
  });
}

/** Templates by a slash in a text: looked for by the word after it, gone through by arrows, taken by Enter or Tab, left by Escape. */
export function useTemplatePicker({ leadId, field, typed, onPick }: PickerInput) {
  const [caret, setCaret] = useState<number | null>(null);
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const [chosen, setChosen] = useState<Language | null>(null);
  const own = useLanguage();
  const listId = useId();
  const found = caret === null ? null : readSlash(typed, caret);
  const slash = found && found.start !== leftAt ? found : null;
  const { data, isError } = useQuery({ ...filledTemplatesQuery(leadId), enabled: slash !== null });
  const language = chosen ?? data?.language ?? own;
  const options = slash
    ? optionsOf(data?.templates ?? [], language).filter(({ template }) => isNamed(template.name, slash.word))
    : [];
  const at = Math.min(active, options.length - 1);

  const slashStart = slash?.start ?? null;
  useEffect(() => {
    if (slashStart === null) return;
    // Before a dialog around the text hears of it and closes.
    const leave = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || event.target !== field.current) return;
      event.preventDefault();
      event.stopPropagation();
      setLeftAt(slashStart);
    };
    window.addEventListener("keydown", leave, { capture: true });
    return () => window.removeEventListener("keydown", leave, { capture: true });
  }, [slashStart, field]);

  /** Where the caret stands by now. */
  function follow(): void {
    const next = field.current?.selectionStart ?? null;
    if (next === caret) return;
    setCaret(next);
    setActive(0);
    if (leftAt !== null && readSlash(field.current?.value ?? "", next ?? 0)?.start !== leftAt)
      setLeftAt(null);
  }

  function pick(option: TemplateOption): void {
    if (!slash) return;
    setCaret(null);
    onPick(option, slash);
  }

  /** True where the key was the picker's. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (!slash || event.nativeEvent.isComposing) return false;
    const option = options[at];
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!option || !isPlain) return false;
    if (event.key === "ArrowDown") setActive((at + 1) % options.length);
    else if (event.key === "ArrowUp") setActive((at + options.length - 1) % options.length);
    else if (event.key === "Enter" || event.key === "Tab") pick(option);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return {
    isOpen: slash !== null,
    isLoading: slash !== null && !data && !isError,
    isError,
    listId,
    options,
    active: at,
    language,
    chooseLanguage: setChosen,
    follow,
    pick,
    onKeyDown,
    optionId: (index: number) => `${listId}-${index}`,
  };
}

export type TemplatePicker = ReturnType<typeof useTemplatePicker>;
