import { isIPv4, isIPv6 } from "node:net";

/**
 * The network of a client: its IPv4 address, or the first 64 bits of its IPv6 address, which a provider gives to one
 * customer. Any other text is returned as it is.
 */
export function clientNetworkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (isIPv4(mapped) || !isIPv6(mapped)) return mapped;
  const [left = "", right] = (mapped.split("%")[0] ?? "").split("::");
  const head = ipv6Groups(left);
  const tail = right === undefined ? [] : ipv6Groups(right);
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}

/** The wide network of an address: the IPv4 /24 or IPv6 /56, all addresses of which one client can easily obtain. */
export function wideClientNetworkOf(address: string): string {
  const network = clientNetworkOf(address);
  if (isIPv4(network)) return network.slice(0, network.lastIndexOf("."));
  const parts = network.split(":");
  const [last = ""] = parts.splice(3);
  return [...parts, last.padStart(4, "0").slice(0, 2)].join(":");
}

function ipv6Groups(text: string): readonly string[] {
  // An IPv4 part at the end stands for two groups.
  return text
    .split(":")
    .filter(Boolean)
    .flatMap((group) =>
      group.includes(".") ? ["0", "0"] : [Number.parseInt(group, 16).toString(16)],
    );
}
