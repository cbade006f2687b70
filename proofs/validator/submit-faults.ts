import type { Fault, FaultRule } from "../../packages/stand-in/src/index.ts";

const OTHER_ORDER = JSON.stringify({
  success: true,
  order_uuid: "00000000-0000-4000-8000-000000000000",
  order_json: "",
  error_message: "",
  processing_time: 0.1,
  message: "Order successfully processed by Taoshi validator",
});

/**
 * An order that reaches the validator is done after this time at the latest, which is well past the service's own
 * deadline.
 */
export const LATEST_WORK_MS = 6_000;

/**
 * The faults of a submit-order call, by name. The stand-in for the validator causes those with a value, before or after
 * it carries the order out. The run itself causes the two with null. `interrupted` makes the gateway's address refuse
 * connections.
 */
export function submitFaults(orderTimeoutMs: number): Readonly<Record<string, Fault | null>> {
  return {
    interrupted: null,
    // The run fills an entry after the service's last reading, before the act is sent.
    filledUnseen: null,
    // The next five: the validator acts by itself, or its answer differs from its work.
    fillBefore: { kind: "fill", when: "before" },
    nothingDone: { kind: "nothingDone" },
    anotherQuantity: { kind: "contradict", what: "quantity" },
    anotherDirection: { kind: "contradict", what: "direction" },
    refusedLeg: { kind: "refuseLegs", from: 0 },
    cutBefore: { kind: "cut", when: "before" },
    errorBefore: { kind: "error500", when: "before" },
    // The validator carries the order out after the service has given up waiting.
    slowBefore: { kind: "slow", beforeMs: orderTimeoutMs + 600 },
    // The validator carries the order out after its deadline, and after the service has checked for the order and not
    // found it.
    lateBefore: { kind: "slow", beforeMs: LATEST_WORK_MS },
    cutAfter: { kind: "cut", when: "after" },
    halfBody: { kind: "halfBody" },
    cutAfterAnswer: { kind: "cutAfterAnswer" },
    errorAfter: { kind: "error500", when: "after" },
    slowAfter: { kind: "slow", afterMs: 2 * orderTimeoutMs },
    slowButInTime: { kind: "slow", afterMs: orderTimeoutMs / 3 },
    endlessBody: { kind: "endlessBody" },
    compressed: { kind: "compressed" },
    compressedBomb: { kind: "compressed", bytes: 200_000_000 },
    redirect: { kind: "redirect", location: "http://127.0.0.1:9/api/submit-order" },
    invalidJson: { kind: "invalidJson" },
    duplicateKey: { kind: "duplicateKey", key: "success" },
    notANumber: { kind: "number", key: "processing_time", text: "NaN" },
    longNumber: { kind: "number", key: "processing_time", text: "9".repeat(400) },
    page: { kind: "answer", when: "after", status: 200, body: "<html>It works</html>" },
    emptyBody: { kind: "answer", when: "after", status: 200, body: "" },
    badGateway: { kind: "answer", when: "before", status: 502, body: '{"error":"Bad gateway"}' },
    tooManyRequests: {
      kind: "answer",
      when: "before",
      status: 429,
      body: '{"error":"Too many requests"}',
    },
    anotherOrder: { kind: "answer", when: "after", status: 200, body: OTHER_ORDER },
    anotherOrderWithoutWork: { kind: "answer", when: "before", status: 200, body: OTHER_ORDER },
  };
}

/**
 * Only these faults test three promises: an acceptance is believed only when the account shows the order, no clock ends
 * an order of unknown fate, and an act is not judged by an old reading. They come often, so that a short run has each
 * of them several times.
 */
const OFTEN = ["nothingDone", "slowBefore", "lateBefore", "fillBefore", "filledUnseen"];
const APART = 8;

/** The faults in the order in which a run uses them, with those of `OFTEN` between the others. */
export function orderOfFaults(kinds: readonly string[]): readonly string[] {
  return kinds.flatMap((kind, index) => (index % APART === 0 ? [...OFTEN, kind] : [kind]));
}

/** The faults that can affect only an act: an entry fills just before the act is sent, or before it arrives. */
const OF_ACTS = ["filledUnseen", "fillBefore"];
/**
 * The faults that can affect only an order with its own id. The answer to a FLAT_ALL of everything names no order, and
 * an act has no record and no legs to contradict.
 */
const OF_ENTRIES = [
  "anotherOrder",
  "anotherOrderWithoutWork",
  "anotherQuantity",
  "anotherDirection",
  "refusedLeg",
];

/** True when the fault can affect an act, or an order with its own id. */
export function canShowFault(fault: string, isAct: boolean): boolean {
  return !(isAct ? OF_ENTRIES : OF_ACTS).includes(fault);
}

/** Faults that strike other calls by chance. They end when all orders are placed. */
export const OTHER_FAULTS: readonly FaultRule[] = [
  { call: "status", probability: 0.1, fault: { kind: "error500", when: "before" } },
  { call: "status", probability: 0.1, fault: { kind: "cut", when: "before" } },
  { call: "status", probability: 0.1, fault: { kind: "invalidJson" } },
  { call: "dashboard", probability: 0.05, fault: { kind: "error500", when: "before" } },
  { call: "dashboard", probability: 0.05, fault: { kind: "halfBody" } },
];
