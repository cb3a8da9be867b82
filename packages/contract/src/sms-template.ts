/** Template fields, written as `{{first_name}}` or with a fallback as `{{first_name|amigo}}`. */
export const templateFields = ["first_name", "consultant", "company", "meeting"] as const;
export type TemplateField = (typeof templateFields)[number];

/** A field in a text: its position, and the fallback if the lead has no value. */
export interface TemplateMark {
  /** The name as written; it is a known field only if listed in `templateFields`. */
  name: string;
  fallback: string;
  start: number;
  end: number;
}

const marks = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

const isField = (name: string): name is TemplateField => (templateFields as readonly string[]).includes(name);

/** Everything in a text that is written as a field, in order. */
export const templateMarks = (text: string): TemplateMark[] =>
  [...text.matchAll(marks)].map(({ 0: whole, 1: name = "", 2: fallback = "", index }) => ({
    name: name.trim().toLowerCase(),
    fallback: fallback.trim(),
    start: index,
    end: index + whole.length,
  }));

/** The first field of a text that was not replaced; such a text is not sent. */
export const unfilledField = (text: string): (TemplateMark & { name: TemplateField }) | undefined =>
  templateMarks(text).find((mark): mark is TemplateMark & { name: TemplateField } => isField(mark.name));

/** Names written as fields that are not known fields. */
export const unknownFields = (text: string): string[] =>
  templateMarks(text).flatMap(({ name }) => (isField(name) ? [] : name));

/** Replaces a template's fields by their values. A field without a value and without a fallback stays as written. */
export function fillTemplate(body: string, values: Record<TemplateField, string | null>): string {
  return body.replace(marks, (whole, name: string, fallback = "") => {
    const field = name.trim().toLowerCase();
    return (isField(field) && (values[field]?.trim() || fallback.trim())) || whole;
  });
}
