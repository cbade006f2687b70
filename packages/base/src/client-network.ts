import { isIPv4, isIPv6 } from "node:net";

/** The address, or the /64 of an IPv6 address, which a provider gives to one customer. */
export function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (isIPv4(mapped) || !isIPv6(mapped)) return mapped;
  const [left = "", right] = (mapped.split("%")[0] ?? "").split("::");
  const head = groups(left);
  const tail = right === undefined ? [] : groups(right);
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}

function groups(text: string): readonly string[] {
  // An IPv4 part at the end replaces two groups.
  return text
    .split(":")
    .filter(Boolean)
    .flatMap((group) =>
      group.includes(".") ? ["0", "0"] : [Number.parseInt(group, 16).toString(16)],
    );
}
