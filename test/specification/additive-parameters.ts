import { ENDPOINTS, type EndpointName } from "@propgate/contract";

/** Query parameters that the specification does not have. @rule D13.tradesPage */
const ADDITIVE: Partial<Readonly<Record<EndpointName, readonly string[]>>> = {
  getTrades: ["after", "limit"],
};

/**
 * The parameters and error statuses that the endpoint has according to the specification, without the additive
 * parameters.
 */
export function specifiedRequest(endpoint: EndpointName): {
  readonly query: readonly string[];
  /** True when the endpoint has an additive parameter. A wrong one gets 400, which a request without it never gets. */
  readonly isWithout400: boolean;
} {
  const additive = ADDITIVE[endpoint] ?? [];
  return {
    query: ENDPOINTS[endpoint].query.filter((name) => !additive.includes(name)),
    isWithout400: additive.length > 0,
  };
}
