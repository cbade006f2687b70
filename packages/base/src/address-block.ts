import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** The result of reading an address block: the block in canonical form, or the problem with its text. */
export type AddressBlockReading = { readonly block: string } | { readonly problem: string };

const NO_BLOCK = "must be an address or CIDR block, without a zone";

/**
 * Reads an address or CIDR block such as `10.0.0.0/8`. A block with bits of a host, such as `10.1.2.3/8`, is a problem:
 * it is probably a mistake, and means far more addresses than the writer had in mind. @rule D13.addressBlocks decides
 */
export function readAddressBlock(text: string): AddressBlockReading {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  // A zone names a network interface of one machine, so no address of a remote client matches it.
  if (family === 0 || rest.length > 0 || address.includes("%")) return { problem: NO_BLOCK };
  const whole = family === 4 ? 32 : 128;
  if (bits !== undefined && !(/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= whole)) {
    return { problem: NO_BLOCK };
  }
  const size = bits === undefined ? whole : Number(bits);
  const value = family === 4 ? parseIPv4(address) : parseIPv6(address);
  const hostBits = BigInt(whole - size);
  const first = (value >> hostBits) << hostBits;
  if (first === value) return { block: formatCidrBlock(value, size, family) };
  return {
    problem: `must not have bits of a host; the block is ${formatCidrBlock(first, size, family)}`,
  };
}

/**
 * Reads a list of addresses and CIDR blocks. Returns them in canonical form, without duplicates; or the first problem
 * with its index. @rule D13.addressBlocks
 */
export function readAddressBlocks(
  texts: readonly string[],
): { readonly blocks: readonly string[] } | { readonly problem: string; readonly index: number } {
  const blocks = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const read = readAddressBlock(text);
    if ("problem" in read) return { problem: read.problem, index };
    blocks.add(read.block);
  }
  return { blocks: [...blocks] };
}

function formatCidrBlock(value: bigint, size: number, family: number): string {
  const isMapped = family === 6 && size >= MAPPED_BITS && value >> 32n === MAPPED;
  const isIPv4Form = family === 4 || isMapped;
  const whole = isIPv4Form ? 32 : 128;
  const left = isMapped ? size - MAPPED_BITS : size;
  const address = isIPv4Form ? formatIPv4(value & 0xffffffffn) : formatIPv6(value);
  return left === whole ? address : `${address}/${left}`;
}

function parseIPv4(address: string): bigint {
  return address.split(".").reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function formatIPv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join(".");
}

/**
 * The value of an IPv6 address. The `URL` of Node writes every IPv6 address in groups of hexadecimal digits, with at
 * most one `::`.
 */
function parseIPv6(address: string): bigint {
  const host = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) ?? "";
  const [left = "", right] = host.split("::");
  const groupsOf = (part: string): readonly string[] => (part === "" ? [] : part.split(":"));
  const before = groupsOf(left);
  const after = groupsOf(right ?? "");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const groups = [...before, ...(right === undefined ? [] : zeros), ...after];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function formatIPv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(16 * (7 - index))) & 0xffffn).toString(16),
  );
  return URL.parse(`http://[${groups.join(":")}]/`)?.hostname.slice(1, -1) ?? "";
}

/**
 * The form in which addresses are compared and recorded: without a zone, and as IPv4 when it is an IPv4-mapped IPv6
 * address (`::ffff:192.0.2.1`, `::ffff:c000:201`). Null when the text is not an address.
 */
export function canonicalAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return null;
  const [address = ""] = text.split("%");
  return mappedIPv4(address) ?? address;
}

/**
 * Makes a test of whether an address is in one of these blocks. An empty list allows every address. @rule D8.keyLimits
 */
export function createAddressFilter(blocks: readonly string[]): (address: string) => boolean {
  if (blocks.length === 0) return () => true;
  const list = new BlockList();
  for (const block of blocks) addBlock(list, block);
  return (address) => {
    const plain = canonicalAddress(address);
    return plain !== null && list.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
  };
}

const MAPPED_BITS = 96;
/** The first 96 bits of an IPv6 address that wraps an IPv4 address. */
const MAPPED = 0xffffn;

function addBlock(list: BlockList, block: string): void {
  const [address = "", bits] = block.split("/");
  const mapped = mappedIPv4(address);
  if (mapped !== null && (bits === undefined || Number(bits) >= MAPPED_BITS)) {
    list.addSubnet(mapped, bits === undefined ? 32 : Number(bits) - MAPPED_BITS, "ipv4");
    return;
  }
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  // A text that is not an address, or has a zone, matches no address.
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
