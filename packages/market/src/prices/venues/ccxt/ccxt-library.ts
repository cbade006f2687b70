import { CannotStart } from "@propgate/base";
import type { Exchange } from "ccxt";

export type { Exchange };

/** The class of an exchange in ccxt Pro. Its constructor opens no connection. */
export type ExchangeClass = new (options: object) => Exchange;

/** The venues of ccxt Pro by their ids. */
export type CcxtVenues = ReadonlyMap<string, ExchangeClass>;

const INSTALL = "npm install ccxt@4.5";

/**
 * Loads ccxt, an optional package that only a service with a venue of ccxt needs. Throws a `CannotStart` that names the
 * command to install it.
 */
export async function loadCcxt(): Promise<CcxtVenues> {
  const library = await importCcxt();
  const venues = new Map<string, ExchangeClass>();
  for (const [id, made] of Object.entries(library.default.pro)) {
    if (isExchangeClass(made)) venues.set(id, made);
  }
  return venues;
}

async function importCcxt(): Promise<typeof import("ccxt")> {
  try {
    return await import("ccxt");
  } catch (cause) {
    throw new CannotStart("prices of crypto venues need the package ccxt, which is not installed", {
      fix: INSTALL,
      cause,
    });
  }
}

function isExchangeClass(value: unknown): value is ExchangeClass {
  return (
    typeof value === "function" && "prototype" in value && "describe" in Object(value.prototype)
  );
}
