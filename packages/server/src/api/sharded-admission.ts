import { type PerShard, shardOfKey } from "@propgate/ledger";
import type { EndpointOptions } from "./serve-endpoint.ts";

type AdmissionPart = Pick<EndpointOptions, "admissions" | "failures">;

/** Admits requests and records failures, each on the database of its key. */
export function shardedAdmission(parts: PerShard<AdmissionPart>): AdmissionPart {
  return {
    admissions: {
      submit: (request) => shardOfKey(parts, request.keyId).admissions.submit(request),
    },
    failures: {
      rejected: (keyId) => shardOfKey(parts, keyId).failures.rejected(keyId),
      succeeded: (keyId) => shardOfKey(parts, keyId).failures.succeeded(keyId),
    },
  };
}
