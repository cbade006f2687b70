export type { CcxtModule, ExchangeClass } from "./ccxt-module.ts";
export {
  type ClassifiedFailure,
  classifyFailure,
  ERROR_CLASSES,
  errorClassOf,
  REFUSAL_CLASSES,
} from "./error-classes.ts";
export { isRefusedError, type RefusedError } from "./orders/place.ts";
export { propgateIn } from "./propgate.ts";
