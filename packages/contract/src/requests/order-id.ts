const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-bracket-\d+)?$/i;

/**
 * The form in which the id of an order or position is stored and compared: a uuid, with or without `-bracket-N`, in
 * lower case, any other id unchanged. @rule D12.idCase decides
 */
export function canonicalId(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}
