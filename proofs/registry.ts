import { CUTS } from "./cuts/cuts-proof.ts";
import { FAILOVER } from "./failover/failover-proof.ts";
import { FAULTS } from "./faults/faults-proof.ts";
import { FEEDS } from "./feeds/feeds-proof.ts";
import { FUZZ } from "./fuzz/fuzz-proof.ts";
import { KILLS } from "./kills/kills-proof.ts";
import { LIVES } from "./lives/lives-proof.ts";
import { MUTATE } from "./mutate/mutate-proof.ts";
import { PLANTED } from "./planted/planted-proof.ts";
import type { Proof } from "./proof.ts";
import { REPEATS } from "./repeats/repeats-proof.ts";
import { SIMULATE } from "./simulate/simulate-proof.ts";
import { STOPS } from "./stops/stops-proof.ts";
import { STREAMS } from "./streams/streams-proof.ts";
import { VALIDATOR } from "./validator/validator-proof.ts";

/** All proofs, in the order of the reliability page. */
export const PROOFS: readonly Proof[] = [
  SIMULATE,
  KILLS,
  REPEATS,
  STOPS,
  STREAMS,
  CUTS,
  FAULTS,
  FAILOVER,
  FEEDS,
  VALIDATOR,
  LIVES,
  FUZZ,
  MUTATE,
  PLANTED,
];
