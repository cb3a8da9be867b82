import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const tags = (names: string) => new Set(names.split(" "));
/** What they hold is no text of the note's. */
const silent = tags(
  "script style head title template noscript iframe object embed svg math select textarea audio video canvas",
);
const blocks = tags(
  "p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tr blockquote pre section article header footer hr figure",
);
const usual = [...silent, ...blocks, ..."a b i u s em strong span br img font code sub sup td th".split(" ")];
/** A tag of the editor's, and no '<5 years' or '<ana@example.com>' that somebody typed. */
const tag = new RegExp(`</?(?:${usual.join("|")})(?:\\s[^<]*?)?/?>`, "i");
/** Longer than any note of ours with its tags: the rest is not read. */
const maxLength = 100_000;
const linked = /^(?:https?:|mailto:|tel:)/i;

function addressOf({ attrs }: Element, words: string): string {
  const address = attrs.find(({ name }) => name === "href")?.value.trim() ?? "";
  const isNew = linked.test(address) && !words.endsWith(address.replace(/^(mailto|tel):/i, ""));
  return isNew ? ` (${address})` : "";
}

function textOfHtml(html: string): string {
  let text = "";
  const newLine = () => {
    // Looked at from its end alone: the text is long.
    if (text !== "" && !/\n(- )?$/.test(`\n${text}`.slice(-3))) text += "\n";
  };
  // Not by recursion: nothing limits how deep elements lie in each other.
  const open: (Node | (() => void))[] = parseFragment(html.slice(0, maxLength)).childNodes.toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "function") next();
    else if (next.nodeName === "#text") {
      const words = (next as DefaultTreeAdapterTypes.TextNode).value.replace(/\s+/g, " ");
      text += /\s$/.test(text.slice(-1) || " ") ? words.trimStart() : words;
    } else if (next.nodeName === "br") text += "\n";
    else if ("tagName" in next && !silent.has(next.tagName)) {
      const element = next;
      const { tagName, childNodes } = element;
      if (blocks.has(tagName)) newLine();
      if (tagName === "li") text += "- ";
      open.push(() => {
        if (blocks.has(tagName)) newLine();
        else if (tagName === "a") text += addressOf(element, text.trimEnd());
        else if (tagName === "td" || tagName === "th") text += " ";
      });
      open.push(...childNodes.toReversed());
    }
  }
  return text;
}

/**
 * A note as text: the vendor's own editor writes HTML, of which only the words, line breaks and addresses of links stay. Anything
 * without the editor's tags was typed as it is.
 */
export function noteText(body: string): string {
  if (!tag.test(body)) return body.trim();
  return textOfHtml(body)
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
