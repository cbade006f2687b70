/**
 * The addresses with another origin, nested as in ccxt's `urls`. WebSocket addresses get the WebSocket form of the
 * origin.
 */
export function withOrigin(addresses: unknown, origin: string): unknown {
  if (typeof addresses === "string") return withNewOrigin(addresses, origin);
  if (Array.isArray(addresses)) return addresses.map((one) => withOrigin(one, origin));
  if (typeof addresses !== "object" || addresses === null) return addresses;
  return Object.fromEntries(
    Object.entries(addresses).map(([name, one]) => [name, withOrigin(one, origin)]),
  );
}

function withNewOrigin(address: string, origin: string): string {
  const found = /^(https?|wss?):\/\/[^/]+/.exec(address);
  if (found === null) return address;
  const isSocket = found[1] === "ws" || found[1] === "wss";
  const base = isSocket ? origin.replace(/^http/, "ws") : origin;
  return base + address.slice(found[0].length);
}

/** The hosts of the addresses. `{hostname}` in an address is replaced by `hostname`. */
export function hostsOf(addresses: unknown, hostname: string): ReadonlySet<string> {
  const hosts = new Set<string>();
  const collect = (one: unknown): void => {
    if (typeof one === "string") {
      const url = URL.parse(one.replaceAll("{hostname}", hostname));
      if (url !== null && url.host !== "") hosts.add(url.host);
    } else if (typeof one === "object" && one !== null) {
      for (const part of Object.values(one)) collect(part);
    }
  };
  collect(addresses);
  return hosts;
}
