import { XMLParser, XMLValidator } from "fast-xml-parser";

/** One element of a TwiML document. */
export interface TwimlNode {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: TwimlNode[];
}

type OrderedNode = Record<string, unknown>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseAttributeValue: false,
  parseTagValue: false,
  htmlEntities: true,
});

/** The verbs of a TwiML document. Errors: a message for text that is not XML or has another root than `<Response>` (Twilio's 12100). */
export function parseTwiml(xml: string): TwimlNode[] {
  const valid = XMLValidator.validate(xml);
  if (valid !== true) throw new Error(`Document parse failure: ${valid.err.msg}`);
  const roots = (parser.parse(xml) as OrderedNode[])
    .filter((node) => !nameOf(node).startsWith("?"))
    .map(toNode);
  const root = roots.find((node) => node.name !== "#text" && node.name !== "#comment");
  if (root?.name !== "Response") throw new Error("Document parse failure: the root is not <Response>");
  return root.children;
}

function nameOf(node: OrderedNode): string {
  return Object.keys(node).find((key) => key !== ":@") ?? "";
}

function toNode(node: OrderedNode): TwimlNode {
  const name = nameOf(node);
  const content = node[name];
  const parts = Array.isArray(content) ? (content as OrderedNode[]) : [];
  const text = parts.map((part) => ("#text" in part ? String(part["#text"]) : toNode(part).text)).join("");
  return {
    name,
    attributes: (node[":@"] ?? {}) as Record<string, string>,
    text: text.replace(/\s+/g, " ").trim(),
    children: parts.filter((part) => !("#text" in part)).map(toNode),
  };
}
