import { nullable, object, string, time, type Wire } from "../schema.ts";

/** Item of the unsigned GET evidence-keys, which lists the newest key first. Additive. */
export const EVIDENCE_KEY = object("A key with which the installation signs evidence.", {
  keyId: string("Its id, which a signature names."),
  alg: string("The scheme of its signatures: `Ed25519`."),
  publicKey: string("Its 32 bytes in base64."),
  fromMs: time("Since when it signs."),
  untilMs: nullable(time("When the next one took over; null for the one in use.")),
});
export type EvidenceKey = Wire<typeof EVIDENCE_KEY>;
