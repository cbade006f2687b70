/** In this order, for each calls itself by the names of those after it as well. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** `Firefox on Linux` from what a browser calls itself; its own words where nobody knows it. */
export function browserText(userAgent: string): string {
  if (userAgent === "") return "Unknown browser";
  const [browser, system] = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)];
  if (browser === null) return userAgent.slice(0, 60);
  return system === null ? browser : `${browser} on ${system}`;
}

function nameIn(list: typeof BROWSERS, userAgent: string): string | null {
  return list.find(([mark]) => mark.test(userAgent))?.[1] ?? null;
}
