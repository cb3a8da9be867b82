/** What a template can hold of the lead it goes to, written as `{{first_name}}` or, with what stands in its place, `{{first_name|amigo}}`. */
export const templateFields = ["first_name", "consultant", "company", "meeting"] as const;
export type TemplateField = (typeof templateFields)[number];

/** A field in a text: where it stands, and what takes its place where the lead has none. */
export interface TemplateMark {
  /** As it is written; a field only if it is one of `templateFields`. */
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

/** The first field of a text that nothing has taken the place of: it is not sent like that. */
export const unfilledField = (text: string): (TemplateMark & { name: TemplateField }) | undefined =>
  templateMarks(text).find((mark): mark is TemplateMark & { name: TemplateField } => isField(mark.name));

/** What is written as a field and is none. */
export const unknownFields = (text: string): string[] =>
  templateMarks(text).flatMap(({ name }) => (isField(name) ? [] : name));

/** A template with what is known in its places; a field without a value and without a fallback stays as it is written. */
export function fillTemplate(body: string, values: Record<TemplateField, string | null>): string {
  return body.replace(marks, (whole, name: string, fallback = "") => {
    const field = name.trim().toLowerCase();
    return (isField(field) && (values[field]?.trim() || fallback.trim())) || whole;
  });
}
