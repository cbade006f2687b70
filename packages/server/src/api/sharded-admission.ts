import { type PerShard, shardOfKey } from "@propgate/ledger";
import type { EndpointOptions } from "./serve-endpoint.ts";

type AdmissionPart = Pick<EndpointOptions, "admissions" | "failures">;

/** Admits requests and records failures, each on the database of its key. */
export function createShardedAdmission(parts: PerShard<AdmissionPart>): AdmissionPart {
  return {
    admissions: {
      submit: (request) => shardOfKey(parts, request.keyId).admissions.submit(request),
    },
    failures: {
      recordRejected: (keyId) => shardOfKey(parts, keyId).failures.recordRejected(keyId),
      recordSucceeded: (keyId) => shardOfKey(parts, keyId).failures.recordSucceeded(keyId),
    },
  };
}
