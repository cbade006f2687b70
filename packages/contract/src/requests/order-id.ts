const ORDER_OR_LEG_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-bracket-\d+)?$/i;

const LEG = /-bracket-\d+\s*$/i;

/** True for a text that is the id of a leg, which ends with the leg's number. */
export function isLegId(id: unknown): boolean {
  return typeof id === "string" && LEG.test(id);
}

/**
 * The form in which the id of an order or position is stored and compared: a uuid, with or without `-bracket-N`, in
 * lower case, any other id unchanged. @rule D12.idCase decides
 */
export function canonicalId(id: string): string {
  return ORDER_OR_LEG_ID.test(id) ? id.toLowerCase() : id;
}
