/** A price to set at the validator of a sandbox. */
export interface ValidatorQuote {
  readonly pair: string;
  readonly bid: number;
  readonly ask: number;
}

/** A stand-in for a validator, to which a sandbox sends the orders of linked accounts. */
export interface SandboxValidator {
  /** The addresses of the validator and of its gateway, each with its key. */
  readonly validator: { readonly url: string; readonly key: string };
  readonly gateway: { readonly url: string; readonly key: string };
  /** The hotkey of the entity whose subaccounts can be linked. */
  readonly entity: string;
  /** False for a pair that the validator does not have. */
  hasPair(pair: string): boolean;
  /** Resolves when everything that the prices triggered at the validator is settled. */
  setPrices(quotes: readonly ValidatorQuote[]): Promise<void>;
  /** Opens a subaccount and returns its id at the validator. */
  openSubaccount(options: { readonly size: number }): Promise<string>;
}
