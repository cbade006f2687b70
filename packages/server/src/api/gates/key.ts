import type { OpenedKey } from "@propgate/access";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/**
 * Rejects, always with 401 `Invalid key`, a key that is unknown, revoked, expired or paused, or that may not be used
 * from this address. @rule S5.R6 D2.4 D8.keyLimits decides
 */
export const checkActiveKey: Check<{
  readonly known: OpenedKey | null;
  readonly address: string;
}> = ({ known, address }) => (known?.allows(address) ? null : { error: "invalidKey" });

/** Rejects a key whose stored secret cannot be opened, with 500 `Decrypt failed`. @rule D2.5 decides */
export const checkOpenableSecret: Check<{ readonly known: OpenedKey | null }> = ({ known }) =>
  known !== null && known.material === null ? { error: "decryptFailed" } : null;

/** Rejects a key that another node has revoked or paused in the meantime. @rule S5.R6 */
export const checkStillActiveKey: Check<{ readonly admission: Admission }> = ({ admission }) =>
  admission.isKeyActive ? null : { error: "invalidKey" };
