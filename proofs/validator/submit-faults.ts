import type { Fault, FaultRule } from "../../packages/stand-in/src/index.ts";

const OTHER_ORDER = JSON.stringify({
  success: true,
  order_uuid: "00000000-0000-4000-8000-000000000000",
  order_json: "",
  error_message: "",
  processing_time: 0.1,
  message: "Order successfully processed by Taoshi validator",
});

/** An order that reaches the validator is done after this time at the latest: well past the service's own deadline. */
export const LATEST_WORK_MS = 6_000;

/**
 * The steps at which a submit-order call fails. `interrupted`: the gateway's address refuses
 * connections. The run itself causes those without a fault of the stand-in.
 * The others are made by the stand-in, before or after its work.
 */
export function submitFaults(orderTimeoutMs: number): Readonly<Record<string, Fault | null>> {
  return {
    interrupted: null,
    // An entry fills after the service's last reading, before the act is sent.
    filledUnseen: null,
    // The validator acts by itself, or answers something else than it did.
    fillBefore: { kind: "fill", when: "before" },
    nothingDone: { kind: "nothingDone" },
    anotherQuantity: { kind: "contradict", what: "quantity" },
    anotherDirection: { kind: "contradict", what: "direction" },
    refusedLeg: { kind: "refuseLegs", from: 0 },
    cutBefore: { kind: "cut", when: "before" },
    errorBefore: { kind: "error500", when: "before" },
    // The validator takes the order only after the service has given up.
    slowBefore: { kind: "slow", beforeMs: orderTimeoutMs + 600 },
    // The validator takes the order only after its deadline, and after questions that found nothing.
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
 * Only these show that an answer about another order is not believed, that no clock gives an unknown order up,
 * and that an act is not judged by an old reading. They are drawn often, so that a short run has each of them several
 * times.
 */
const OFTEN = ["anotherOrderWithoutWork", "slowBefore", "lateBefore", "fillBefore", "filledUnseen"];
const APART = 8;

/** The faults in the order in which a run meets them. */
export function faultTurns(kinds: readonly string[]): readonly string[] {
  return kinds.flatMap((kind, index) => (index % APART === 0 ? [...OFTEN, kind] : [kind]));
}

/** Faults that only an act shows: an entry fills just before it is sent, or before it arrives. */
const OF_ACTS = ["filledUnseen", "fillBefore"];
/** The answer to a FLAT_ALL of everything names no order, and an act has no record and no legs to contradict. */
const OF_ENTRIES = [
  "anotherOrder",
  "anotherOrderWithoutWork",
  "anotherQuantity",
  "anotherDirection",
  "refusedLeg",
];

/** Whether an order of that kind shows the fault. */
export function suits(fault: string, isAct: boolean): boolean {
  return !(isAct ? OF_ENTRIES : OF_ACTS).includes(fault);
}

/** Faults of the other calls, by chance, until everything is left to settle. */
export const OTHER_FAULTS: readonly FaultRule[] = [
  { call: "status", probability: 0.1, fault: { kind: "error500", when: "before" } },
  { call: "status", probability: 0.1, fault: { kind: "cut", when: "before" } },
  { call: "status", probability: 0.1, fault: { kind: "invalidJson" } },
  { call: "dashboard", probability: 0.05, fault: { kind: "error500", when: "before" } },
  { call: "dashboard", probability: 0.05, fault: { kind: "halfBody" } },
];
