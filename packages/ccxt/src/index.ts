export type { CcxtModule, ExchangeClass } from "./ccxt-module.ts";
export {
  ERROR_CLASSES,
  errorClassOf,
  REFUSAL_CLASSES,
  type Refused,
  refusedWith,
} from "./error-classes.ts";
export { isRefusedError, type RefusedError } from "./place.ts";
export { propgateIn } from "./propgate.ts";
