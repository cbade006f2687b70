/**
 * The browsers by the marks of their user agents. The first mark that fits decides, because each user agent also
 * contains the marks of browsers below.
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

/** A user agent in words, such as `Firefox on Linux`. The first 60 characters of an unknown user agent. */
export function browserText(userAgent: string): string {
  if (userAgent === "") return "Unknown browser";
  const [browser, system] = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)];
  if (browser === null) return userAgent.slice(0, 60);
  return system === null ? browser : `${browser} on ${system}`;
}

function nameIn(list: typeof BROWSERS, userAgent: string): string | null {
  return list.find(([mark]) => mark.test(userAgent))?.[1] ?? null;
}
