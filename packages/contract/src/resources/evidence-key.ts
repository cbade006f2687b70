import { nullable, object, string, time, type Wire } from "../schema.ts";

/** Item of the unsigned GET evidence-keys, which lists the newest key first. Additive. */
export const EVIDENCE_KEY = object("A public key with which the service signs evidence.", {
  keyId: string("The id of the key, which signatures refer to."),
  alg: string("The signature algorithm, `Ed25519`."),
  publicKey: string("The public key: 32 bytes in base64."),
  fromMs: time("When the service began to sign with this key."),
  untilMs: nullable(time("When the next key replaced it; null for the key in use.")),
});
export type EvidenceKey = Wire<typeof EVIDENCE_KEY>;
