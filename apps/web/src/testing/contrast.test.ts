import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(path.join(import.meta.dirname, "../styles.css"), "utf8");

type Tokens = Map<string, [lightness: number, chroma: number, hue: number]>;

function tokensOf(selector: string): Tokens {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? "";
  const tokens: Tokens = new Map();
  for (const [, name, l, c, h] of block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)) {
    tokens.set(name ?? "", [Number(l), Number(c), Number(h)]);
  }
  return tokens;
}

/** Relative luminance (WCAG 2) of an oklch colour, computed in linear sRGB. */
function luminance([lightness, chroma, hue]: [number, number, number]): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((channel) => Math.min(1, Math.max(0, channel)));
  return 0.2126 * (rgb[0] ?? 0) + 0.7152 * (rgb[1] ?? 0) + 0.0722 * (rgb[2] ?? 0);
}

function contrast(tokens: Tokens, one: string, other: string): number {
  const [first, second] = [one, other].map((name) => {
    const token = tokens.get(name);
    if (!token) throw new Error(`no colour --${name}`);
    return luminance(token);
  }) as [number, number];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

const TEXT_PAIRS = [
  ["foreground", "background"],
  ["foreground", "surface"],
  ["foreground", "muted"],
  ["muted-foreground", "background"],
  ["muted-foreground", "surface"],
  ["muted-foreground", "muted"],
  ["primary-foreground", "primary"],
  ["primary-foreground", "primary-hover"],
  ["primary-text", "primary-soft"],
  ["primary-text", "background"],
  ["primary-text", "surface"],
  ["destructive-foreground", "destructive"],
  ["destructive-foreground", "destructive-hover"],
  ["danger-text", "surface"],
  ...["info", "success", "warning", "danger", "violet"].map((tone) => [`${tone}-text`, `${tone}-soft`]),
] as [string, string][];

const SHAPE_PAIRS: [string, string][] = [
  ["input", "surface"],
  ["input", "background"],
  ["ring", "surface"],
  ["ring", "background"],
  ["primary", "surface"],
  ["chart-texts", "surface"],
  ["chart-conversions", "surface"],
];

describe.each([
  { theme: "light", selector: ":root" },
  { theme: "dark", selector: ".dark" },
])("the $theme theme", ({ selector }) => {
  const tokens = tokensOf(selector);

  it.each(TEXT_PAIRS)("shows %s on %s with 4.5:1 at least", (one, other) => {
    expect(contrast(tokens, one, other)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(SHAPE_PAIRS)("outlines %s against %s with 3:1 at least", (one, other) => {
    expect(contrast(tokens, one, other)).toBeGreaterThanOrEqual(3);
  });
});
