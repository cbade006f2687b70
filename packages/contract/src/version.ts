/** The version of the public API. Within v1 fields may be added, and statuses never change. */
export const API_VERSION = "1.2.0";

/** The prefix of every path of the public API. @rule S9.prefix decides */
export const PATH_PREFIX = "/api/v1";

/**
 * The tag of the signature scheme: the first part of the canonical string, and the prefix of the signature header.
 * @rule S9.prefix
 */
export const SIGNATURE_VERSION = "v1";

/** The path of the OpenAPI document. It is public and needs no signature. */
export const OPENAPI_PATH = `${PATH_PREFIX}/openapi.json`;

/** The path of the service's clock, for clients whose clock is wrong. It is public and uses no budget. @rule D9.time */
export const TIME_PATH = `${PATH_PREFIX}/time`;

/**
 * The path of the keys with which the installation signs evidence. It is public and uses no budget.
 * @rule D13.evidenceKeys
 */
export const EVIDENCE_KEYS_PATH = `${PATH_PREFIX}/evidence-keys`;
