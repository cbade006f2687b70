/**
 * For each browser, the pattern that identifies it in a user agent. The first pattern that matches decides, because a
 * user agent may also match the patterns of browsers further down the list.
 */
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

/**
 * A user agent in words, such as `Firefox on Linux`, or `Firefox` when the system is unknown. For an unknown browser,
 * the first 60 characters of the text; for an empty text, `Unknown browser`.
 */
export function browserText(userAgent: string): string {
  if (userAgent === "") return "Unknown browser";
  const [browser, system] = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)];
  if (browser === null) return userAgent.slice(0, 60);
  return system === null ? browser : `${browser} on ${system}`;
}

function nameIn(list: typeof BROWSERS, userAgent: string): string | null {
  return list.find(([mark]) => mark.test(userAgent))?.[1] ?? null;
}
