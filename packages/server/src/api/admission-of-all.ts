import { type PerDatabase, partOfKey } from "../storage/databases/per-database.ts";
import type { EndpointOptions } from "./serve-endpoint.ts";

type AdmissionPart = Pick<EndpointOptions, "admissions" | "failures">;

/** Admits the requests of all keys, each on the database of its key. */
export function admissionOfAll(parts: PerDatabase<AdmissionPart>): AdmissionPart {
  return {
    admissions: {
      submit: (request) => partOfKey(parts, request.keyId).admissions.submit(request),
    },
    failures: {
      rejected: (keyId) => partOfKey(parts, keyId).failures.rejected(keyId),
      succeeded: (keyId) => partOfKey(parts, keyId).failures.succeeded(keyId),
    },
  };
}
