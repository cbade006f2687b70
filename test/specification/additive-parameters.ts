import { ENDPOINTS, type EndpointName } from "@propgate/contract";

/** Query parameters that the specification does not have. @rule D13.tradesPage */
const ADDITIVE: Partial<Readonly<Record<EndpointName, readonly string[]>>> = {
  getTrades: ["after", "limit"],
};

/** The endpoint's parameters and error statuses for a request without additive parameters. */
export function specifiedRequest(endpoint: EndpointName): {
  readonly query: readonly string[];
  /** A wrong additive parameter is a 400, so the statuses of such a request do not have one. */
  readonly isWithout400: boolean;
} {
  const additive = ADDITIVE[endpoint] ?? [];
  return {
    query: ENDPOINTS[endpoint].query.filter((name) => !additive.includes(name)),
    isWithout400: additive.length > 0,
  };
}
