/** The maximum number of addresses and CIDR blocks of one key that the service accepts. */
const BLOCKS_MAX = 100;

/**
 * The addresses that may use a key, from a text with one address or CIDR block on each line; or the problem of the
 * text.
 */
export type AddressBlocks =
  | { readonly addresses: readonly string[]; readonly problem: null }
  | { readonly problem: string };

/** Reads the addresses and CIDR blocks of a text, one on each line. */
export function readAddresses(text: string): AddressBlocks {
  const lines = text.split(/\n/).map((line) => line.trim());
  const wrong = lines.findIndex((line) => line !== "" && !isAddressBlock(line));
  if (wrong !== -1) {
    const shown = lines[wrong]?.slice(0, 50);
    return {
      problem: `Line ${wrong + 1}: ${shown} is neither an address nor a CIDR block${zoneHint(shown)}.`,
    };
  }
  const addresses = [...new Set(lines.filter((line) => line !== ""))];
  if (addresses.length > BLOCKS_MAX) return { problem: `At most ${BLOCKS_MAX} lines.` };
  return { addresses, problem: null };
}

function zoneHint(line: string | undefined): string {
  return line?.includes("%") ? " (leave out the zone, %…)" : "";
}

/** True for an address or a CIDR block: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::1` or `2001:db8::/32`. */
export function isAddressBlock(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const bitsMax = bitsOf(address);
  if (bitsMax === null || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
}

/** The number of bits of an address; null when the text is not an address. */
function bitsOf(address: string): 32 | 128 | null {
  if (isIPv4(address)) return 32;
  return isIPv6(address) ? 128 : null;
}

function isIPv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every(isByte);
}

function isByte(part: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255;
}

/** True when the browser accepts the text as the bracketed host of a URL. */
function isIPv6(text: string): boolean {
  return /^[0-9a-f:.]+$/i.test(text) && text.includes(":") && URL.canParse(`http://[${text}]/`);
}
