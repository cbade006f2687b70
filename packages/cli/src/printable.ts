/** Text from outside as a terminal may show it: no character that would steer it. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "?");
}
