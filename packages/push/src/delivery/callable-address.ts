import { isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import type { ListenAddress } from "@propgate/base";
import ipaddr from "ipaddr.js";
import { type AddressRules, hasPublicForm, portOf } from "./address-rules.ts";

/**
 * Where an IPv4 or IPv6 address leads. `private` is loopback and private networks. `never` is everything that no rule
 * allows: metadata services, link-local, shared, unspecified, multicast and reserved addresses, and a string that is
 * not an address.
 */
export type AddressReach = "public" | "private" | "never";

/**
 * Metadata services of clouds. They are listed because `168.63.129.16` is in a public range and the `fd…` ones are in a
 * private range, so the rules could allow them. The ranges of the others are never callable.
 */
const METADATA: ReadonlySet<string> = new Set([
  "169.254.169.254",
  "100.100.100.200",
  "168.63.129.16",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The call that an address is judged for. */
export interface CallTarget {
  /** An address that `parseWebhookAddress` accepted. */
  readonly url: URL;
  readonly rules: AddressRules;
  /** All listeners of the process, with the addresses to which they are bound. */
  readonly ownListeners: readonly ListenAddress[];
}

/** Whether a connection for this call may go to this IPv4 or IPv6 address. */
export function isCallable(address: string, { url, rules, ownListeners }: CallTarget): boolean {
  const reach = addressReach(address);
  if (reach === "never" || (reach === "private" && !rules.allowsPrivate)) return false;
  if (reach === "public" && !hasPublicForm(url, rules)) return false;
  return !ownListeners.some(({ host, port }) => port === portOf(url) && isServedBy(host, address));
}

/** Whether a listener that is bound to `host` accepts connections to this address. */
function isServedBy(host: string, address: string): boolean {
  const targets = innerAddresses(address);
  const [bound] = innerAddresses(host);
  // A listener that is bound to a name or to the unspecified address may accept connections to every address of this
  // machine, so for these the machine's own addresses are compared.
  if (bound !== undefined && bound.range() !== "unspecified") return includesAny(targets, [bound]);
  const own = Object.values(networkInterfaces()).flatMap((one = []) => one);
  return (
    targets.some((target) => target.range() === "loopback") ||
    includesAny(
      targets,
      own.flatMap((one) => innerAddresses(one.address)),
    )
  );
}

function includesAny(targets: readonly Address[], addresses: readonly Address[]): boolean {
  const texts = new Set(addresses.map((address) => address.toString()));
  return targets.some((target) => texts.has(target.toString()));
}

/** The reach of an IPv4 or IPv6 address. An IPv6 address that contains IPv4 addresses is judged by those inside. */
export function addressReach(text: string): AddressReach {
  const reaches = innerAddresses(text).map(reachOf);
  if (reaches.length === 0 || reaches.includes("never")) return "never";
  return reaches.includes("private") ? "private" : "public";
}

function reachOf(address: Address): AddressReach {
  if (METADATA.has(address.toString())) return "never";
  const range = address.range();
  if (range === "loopback" || range === "private" || range === "uniqueLocal") return "private";
  return range === "unicast" && isAllocated(address) ? "public" : "never";
}

/** Whether an address is allocated. IPv6 outside 2000::/3 is not, although the library calls it unicast. */
function isAllocated(address: Address): boolean {
  return !isIpv6Address(address) || ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
}

/**
 * The addresses to judge for a text: the IPv4 addresses inside an IPv6 address, else the address itself. A Teredo
 * address contains two, its server and its client. Empty for a string that is not an address.
 */
function innerAddresses(text: string): readonly Address[] {
  if (isIPv4(text)) return [ipaddr.IPv4.parse(text)];
  // `URL` writes every IPv6 address in groups of hexadecimal digits, and rejects an address with a zone.
  const host = isIPv6(text) ? URL.parse(`http://[${text}]/`)?.hostname : undefined;
  if (host === undefined) return [];
  const address = ipaddr.IPv6.parse(host.slice(1, -1));
  const [, second = 0, third = 0, fourth = 0, fifth, sixth, high = 0, low = 0] = address.parts;
  const range = address.range();
  if (range === "6to4") return [toIpv4(second, third)];
  if (range === "teredo") {
    return [toIpv4(third, fourth), toIpv4(high ^ 0xffff, low ^ 0xffff)];
  }
  // In NAT64 of local networks (64:ff9b:1::/48) the operator chooses the position of the inner address, so it is not
  // extracted and the outer address is judged: it is never callable.
  const isNat64 =
    range === "rfc6052" && [third, fourth, fifth, sixth].every((group) => group === 0);
  return [isNat64 || range === "ipv4Mapped" ? toIpv4(high, low) : address];
}

function toIpv4(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function isIpv6Address(address: Address): address is ipaddr.IPv6 {
  return address.kind() === "ipv6";
}
