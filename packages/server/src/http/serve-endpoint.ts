import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Endpoint, canonicalString } from "@propgate/contract";
import type { Clock } from "../clock.ts";
import type { AdmissionRequest } from "../keys/admission-port.ts";
import type { KeyCache, KnownKey } from "../keys/key-cache.ts";
import type { MicroBatch } from "../micro-batch.ts";
import type { Admission } from "./admission.ts";
import type { Answer } from "./answer.ts";
import type { Credentials, RequestFacts } from "./gates/facts.ts";
import type { FailureMemory } from "./gates/failure-guard.ts";
import { ADMITTED_GATES, KEY_GATES, STRANGER_GATES, stoppedBy } from "./gates/order.ts";
import { hasScope } from "./gates/scope.ts";
import { signatureMatches } from "./gates/signature.ts";
import { readBody } from "./read-body.ts";
import type { Respond } from "./respond.ts";
import type { Handler, Outcome } from "./routes/handler.ts";

export interface EndpointNeeds {
  readonly clock: Clock;
  readonly keys: KeyCache;
  readonly admissions: MicroBatch<AdmissionRequest, Admission>;
  readonly failures: FailureMemory;
  readonly respond: Respond;
  /** Lower-case names of the four headers. */
  readonly headerNames: Readonly<Record<keyof Credentials, string>>;
  readonly requestId: () => string;
  readonly onFault: (cause: unknown, requestId: string) => void;
}
