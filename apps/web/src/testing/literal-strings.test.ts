import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

/** Attributes whose value is displayed or announced. */
const SPOKEN = [
  ...["alt", "aria-description", "aria-label", "aria-placeholder", "aria-roledescription", "aria-valuetext"],
  ...["description", "hint", "label", "placeholder", "subtitle", "summary", "title"],
];
const LETTERS = /\p{L}{2,}/u;

type Node = Record<string, unknown> & { type: string };

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** Texts that an expression displays directly: 'a', `a`, cond ? 'a' : 'b', x || 'a'. */
function wordsShownBy(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node.type === "TemplateLiteral") {
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  }
  if (node.type === "BinaryExpression") return [...wordsShownBy(node.left), ...wordsShownBy(node.right)];
  if (node.type === "ConditionalExpression") {
    return [...wordsShownBy(node.consequent), ...wordsShownBy(node.alternate)];
  }
  if (node.type === "LogicalExpression") return [...wordsShownBy(node.left), ...wordsShownBy(node.right)];
  if (node.type === "TSAsExpression" || node.type === "TSNonNullExpression")
    return wordsShownBy(node.expression);
  if (node.type === "JSXExpressionContainer" || node.type === "ParenthesizedExpression") {
    return wordsShownBy(node.expression);
  }
  return [];
}

function wordsOf(node: Node): string[] {
  if (node.type === "JSXText") return [String(node.value)];
  if (node.type === "JSXElement" || node.type === "JSXFragment") {
    const containers = (node.children as Node[]).filter(({ type }) => type === "JSXExpressionContainer");
    return containers.flatMap(wordsShownBy);
  }
  if (node.type === "JSXAttribute" && SPOKEN.includes(String((node.name as Node).name))) {
    return wordsShownBy(node.value);
  }
  if (node.type === "AssignmentExpression" && (node.left as Node).type === "MemberExpression") {
    const { name } = (node.left as Node).property as Node;
    return ["ariaLabel", "innerText", "textContent", "title"].includes(String(name))
      ? wordsShownBy(node.right)
      : [];
  }
  if (node.type === "Property" && ["title", "description"].includes(String((node.key as Node).name))) {
    return wordsShownBy(node.value);
  }
  return [];
}

function literalTexts(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`);
  const found: string[] = [];
  const visit = (value: unknown) => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isNode(value)) return;
    found.push(...wordsOf(value).filter((text) => LETTERS.test(text)));
    for (const child of Object.values(value)) visit(child);
  };
  visit(program);
  return found;
}

describe("literal texts", () => {
  it.each([
    "<p>Save now</p>",
    "<p>{'Save now'}</p>",
    "<p>{open ? 'Hide it' : 'Show it'}</p>",
    "<p>{name || 'Nobody'}</p>",
    "<p>{`Save ` + `now`}</p>",
    '<input placeholder="Your name" />',
    `<button aria-label={"Close it"} />`,
    '<img alt="A lead" />',
    '<a title={open && "Open it"} />',
    "<div aria-valuetext={n + ' calls'} />",
    "document.title = 'Leads'",
    "toast({ title: 'Saved' })",
  ])("are found in %s", (source) => {
    expect(literalTexts("sample.tsx", `const x = ${source};`)).not.toEqual([]);
  });

  it("are not reported for classes, keys and translated texts", () => {
    const source = `const x = <p className="grid" key="row">{t("save")} · {count}</p>;`;
    expect(literalTexts("sample.tsx", source)).toEqual([]);
  });

  it("are in no component and no hook: texts are in the catalogs", () => {
    const sources = import.meta.glob<string>(["../**/*.tsx", "../**/queries.ts", "../**/mutations.ts"], {
      eager: true,
      query: "?raw",
      import: "default",
    });
    const findings = Object.entries(sources)
      .filter(([file]) => !file.includes(".test."))
      .flatMap(([file, source]) => literalTexts(file, source).map((text) => `${file}: ${text.trim()}`));
    expect(Object.keys(sources).length).toBeGreaterThan(40);
    expect(findings).toEqual([]);
  });
});
