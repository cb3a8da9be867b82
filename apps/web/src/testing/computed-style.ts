/**
 * Answers for `display` and `visibility` without jsdom's cascade. A query by role needs both of every element within the page, for which
 * jsdom compares the element with 200 rules of its own style sheet, and forgets the result with each change of the page: about a tenth
 * of the tests' time. No style sheet of the portal is loaded here, so all that decides is the element's `style`, a few attributes, and its kind,
 * for which jsdom is asked once. Everything else is jsdom's answer.
 */
export const askJsdom = window.getComputedStyle.bind(window);

const displays = new Map<string, string>();

function displayOf(element: Element): string {
  const depends =
    element.localName === "summary" ||
    ["style", "hidden", "popover", "open"].some((name) => element.hasAttribute(name));
  if (depends) return askJsdom(element).display;
  const kind = `${element.namespaceURI} ${element.localName} ${element.getAttribute("type")}`;
  const known = displays.get(kind);
  if (known !== undefined) return known;
  const { display } = askJsdom(element);
  displays.set(kind, display);
  return display;
}

/** Inherited: a `style` of any element around this one may decide, and `hidden` in a table. */
function visibilityOf(element: Element): string {
  for (let around: Element | null = element; around; around = around.parentElement) {
    const decides = around.hasAttribute("hidden") || around.getAttribute("style")?.includes("visibility");
    if (decides) return askJsdom(element).visibility;
  }
  return "visible";
}

window.getComputedStyle = (element, pseudoElement) => {
  if (pseudoElement) return askJsdom(element, pseudoElement);
  let asked: CSSStyleDeclaration | undefined;
  const read = (name: string | symbol): unknown => {
    if (name === "display") return displayOf(element);
    if (name === "visibility") return visibilityOf(element);
    asked ??= askJsdom(element);
    const value: unknown = Reflect.get(asked, name);
    return typeof value === "function" ? value.bind(asked) : value;
  };
  const getPropertyValue = (name: string) =>
    name === "display" || name === "visibility" ? read(name) : askJsdom(element).getPropertyValue(name);
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, name) => (name === "getPropertyValue" ? getPropertyValue : read(name)),
  });
};
