/** Replaces control characters, so that foreign text cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "?");
}
