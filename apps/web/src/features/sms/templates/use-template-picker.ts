import type { Language } from "@portal/contract/entities/user";
import type { FilledTemplate } from "@portal/contract/routes/sms-templates";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";
import { useLanguage } from "../../../lib/i18n.ts";
import { filledTemplatesQuery } from "../queries.ts";

export interface TemplateOption {
  template: FilledTemplate;
  /** The text to insert and its language, which may not be the chosen one if there is only one. */
  text: string;
  language: Language;
}

interface PickerInput {
  leadId: number;
  field: RefObject<HTMLTextAreaElement | null>;
  typed: string;
  /** Replaces the slash and its word by the template. */
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

/** A template picker for a text field: searches by the word after a slash; arrows move, Enter or Tab insert, Escape closes. */
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
    // Captured before a surrounding dialog would close.
    const leave = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || event.target !== field.current) return;
      event.preventDefault();
      event.stopPropagation();
      setLeftAt(slashStart);
    };
    window.addEventListener("keydown", leave, { capture: true });
    return () => window.removeEventListener("keydown", leave, { capture: true });
  }, [slashStart, field]);

  /** Updates the caret's position. */
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

  /** Returns true if the picker handled the key. */
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

/** A word after a slash at the caret, which searches templates. */
export interface Slash {
  /** Position of the slash. */
  start: number;
  /** End of the word: the caret. */
  end: number;
  word: string;
}

/** The slash must begin a word, unlike in '24/7' or an address. */
export function readSlash(text: string, caret: number): Slash | null {
  const found = /(?:^|\s)\/([^\s/]*)$/.exec(text.slice(0, caret));
  const word = found?.[1];
  return word === undefined ? null : { start: caret - word.length - 1, end: caret, word };
}

const folded = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Whether a template's name contains the word, ignoring case and accents. */
export const isNamed = (name: string, word: string): boolean => folded(name).includes(folded(word));
