/** User-agent patterns in matching order, because most browsers also include other browsers' names. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPiOS)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/.+Safari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (list: [RegExp, string][], userAgent: string) =>
  list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;

/** Names of the browser and operating system; null if unknown. */
export function browserOf(userAgent: string | null): {
  browser: string | null;
  system: string | null;
  isHandheld: boolean;
} {
  const said = userAgent ?? "";
  return {
    browser: nameIn(browsers, said),
    system: nameIn(systems, said),
    isHandheld: /\b(?:iPhone|iPad|Android|Mobile)\b/.test(said),
  };
}
