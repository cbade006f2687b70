import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";

/** Finds all addresses of a name, as `lookup` of `node:dns` does. */
export type LookUpName = (
  name: string,
  options: { readonly all: true },
  callback: (cause: Error | null, found: LookupAddress[]) => void,
) => void;

/** The name has no address, or the lookup failed. */
export class NameNotResolved extends Error {
  override readonly name = "NameNotResolved";
}

/** At least one address of the receiver may not be called. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Makes a lookup for sockets. It judges every address of the name and refuses all of them when one may not be called.
 * The socket connects to the addresses that were judged, so a change of the name's addresses between check and use has
 * no effect.
 */
export function createCheckedLookup(
  lookUp: LookUpName,
  isCallable: (address: string) => boolean,
): LookupFunction {
  return (name, options, callback) => {
    lookUp(name, { all: true }, (cause, found) => {
      // With an error Node gives no list, so `found` is read only without one.
      const [first] = cause === null ? found : [];
      if (first === undefined) {
        callback(new NameNotResolved("the name has no address", { cause }), []);
      } else if (!found.every(({ address }) => isCallable(address))) {
        callback(new AddressRefused("an address of the name may not be called"), []);
      } else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
