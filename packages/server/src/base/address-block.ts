import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** An address or CIDR block such as `10.0.0.0/8`, without a zone (`%eth0`). */
export function isAddressBlock(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  // A zone names an interface of one machine, so no address that arrives over a network matches it.
  if (family === 0 || rest.length > 0 || address.includes("%")) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/**
 * The form in which addresses are compared and recorded: IPv4 for IPv4-mapped IPv6 (`::ffff:192.0.2.1`,
 * `::ffff:c000:201`), and without a zone. Null when the text is not an address.
 */
export function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return null;
  const [address = ""] = text.split("%");
  return mappedIPv4(address) ?? address;
}

/** Whether an address is in one of these blocks; no blocks allow every address. @rule D8.keyLimits */
export function addressFilter(blocks: readonly string[]): (address: string) => boolean {
  if (blocks.length === 0) return () => true;
  const list = new BlockList();
  for (const block of blocks) addBlock(list, block);
  return (address) => {
    const plain = plainAddress(address);
    return plain !== null && list.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
  };
}

const MAPPED_BITS = 96;

function addBlock(list: BlockList, block: string): void {
  const [address = "", bits] = block.split("/");
  const mapped = mappedIPv4(address);
  if (mapped !== null && (bits === undefined || Number(bits) >= MAPPED_BITS)) {
    list.addSubnet(mapped, bits === undefined ? 32 : Number(bits) - MAPPED_BITS, "ipv4");
    return;
  }
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  // An entry of an older release may have a zone; it matches nothing.
  if (isIP(address) === 0 || address.includes("%")) return;
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** The IPv4 address that an IPv6 address wraps, in either spelling; null when it wraps none. */
function mappedIPv4(address: string): string | null {
  const url = isIPv6(address) ? URL.parse(`http://[${address}]/`) : null;
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(url?.hostname ?? "") ?? [];
  if (high === undefined || low === undefined) return null;
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join(".");
}
