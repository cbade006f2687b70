import { gzipSync } from "node:zlib";

/** The kinds of calls to which a fault can be applied. */
export type CallName = "submit" | "status" | "health" | "dashboard" | "limits" | "pairs" | "payout";

/**
 * Faults of time, work and connection. With `afterMs` or `when: "after"`, a fault happens after the validator has done
 * the call's work.
 */
type WorkFault =
  | { readonly kind: "slow"; readonly beforeMs?: number; readonly afterMs?: number }
  /** Waits until the control call `release`, before the work or before the answer. */
  | { readonly kind: "held"; readonly when: "before" | "after" }
  | { readonly kind: "cut"; readonly when: "before" | "after" }
  /** Answers with 500. After the work, the answer to a submit has `success: false` and its `order_uuid`. */
  | { readonly kind: "error500"; readonly when: "before" | "after" }
  /** The ids of ended orders that the last reader received come again in `closed_orders`. */
  | { readonly kind: "drainAgain" }
  /** Another reader receives `closed_orders` just before this call, so that this call does not. */
  | { readonly kind: "drainedByAnother" }
  /** The subaccount of the call is eliminated before or after the work. */
  | { readonly kind: "eliminate"; readonly when: "before" | "after" }
  /** A resting LIMIT that the call names, or the oldest one, fills by itself before or after the work. */
  | { readonly kind: "fill"; readonly when: "before" | "after" }
  /** A submit refuses the legs of its fill from this index on, counted from 0. */
  | { readonly kind: "refuseLegs"; readonly from: number }
  /** A submit answers with success, without the work and without an order. */
  | { readonly kind: "nothingDone" };

/** Faults in the text of an answer. */
type TextFault =
  /** Every cursor of the dashboard, such as `positions_time_ms`, is smaller by this. */
  | { readonly kind: "cursorsBack"; readonly byMs: number }
  /** Replaces the number of a key, such as `balance`, by a text: NaN, Infinity, 400 digits. */
  | { readonly kind: "number"; readonly key: string; readonly text: string }
  /** Writes a key of the answer twice: `"key":"again","key":value`. */
  | { readonly kind: "duplicateKey"; readonly key: string }
  /** The `order_json` of an answer has three times the quantity, or the other direction. */
  | { readonly kind: "contradict"; readonly what: "quantity" | "direction" }
  | { readonly kind: "invalidJson" }
  /** The answer has the ids of another subaccount. */
  | { readonly kind: "otherSubaccount"; readonly hotkey: string }
  /** Replaces the first match of a text in the answer. */
  | { readonly kind: "replace"; readonly text: string; readonly by: string };

/** Faults in how an answer is sent. At most one of them has an effect. */
export type SendFault =
  /** The headers promise the whole body; half of it comes, then the connection ends. */
  | { readonly kind: "halfBody" }
  /** The whole answer comes, then the connection is destroyed. */
  | { readonly kind: "cutAfterAnswer" }
  | { readonly kind: "endlessBody" }
  /** A gzip body. With `bytes` it unpacks to that many bytes of spaces and the answer. */
  | { readonly kind: "compressed"; readonly bytes?: number }
  | { readonly kind: "redirect"; readonly location: string }
  /** Any answer, such as a 429, without the work or after it. */
  | {
      readonly kind: "answer";
      readonly when: "before" | "after";
      readonly status: number;
      readonly body: string;
    };

/** One fault of a call. */
export type Fault = WorkFault | TextFault | SendFault;

/** The calls to which a fault is applied. `nth` and `probability` each narrow them; with both, both must hold. */
export interface FaultRule {
  readonly call: CallName | "any";
  readonly fault: Fault;
  /** The numbers of the matching calls, counted from 1 after the rule was added. */
  readonly nth?: readonly number[];
  /**
   * The probability of the fault for each matching call, from 0 to 1. The stand-in's seed decides for which calls it
   * happens.
   */
  readonly probability?: number;
  /** The execution type of the submits that match; all calls without one. */
  readonly executionType?: string;
  readonly hotkey?: string;
  /** The rule ends after this many faults. */
  readonly times?: number;
}

/** The values of a call that the rules compare. */
export interface SeenCall {
  readonly call: CallName;
  readonly hotkey: string | null;
  readonly executionType: string | null;
}

/** A fault that happened, and the call to which it was applied. */
export interface FaultRecord extends SeenCall {
  readonly fault: Fault;
  readonly orderUuid: string | null;
}

/** The rules of the faults, and the random numbers for rules with a probability. */
export interface FaultPlan {
  add(rule: FaultRule): void;
  clear(): void;
  /** The faults of a call, one at most for each rule, in the order of the rules. */
  next(call: SeenCall): readonly Fault[];
}

/** Creates a plan whose random numbers depend only on the seed. */
export function createFaultPlan(seed: number): FaultPlan {
  let rules: { readonly rule: FaultRule; seen: number; done: number }[] = [];
  const chance = seededChance(seed);
  return {
    add(rule) {
      rules.push({ rule, seen: 0, done: 0 });
    },
    clear() {
      rules = [];
    },
    next(call) {
      const faults: Fault[] = [];
      for (const entry of rules) {
        const { rule } = entry;
        if (!ruleMatches(rule, call)) continue;
        entry.seen += 1;
        if (rule.times !== undefined && entry.done >= rule.times) continue;
        const byNumber = rule.nth === undefined || rule.nth.includes(entry.seen);
        const byChance = rule.probability === undefined || chance() < rule.probability;
        if (!byNumber || !byChance) continue;
        entry.done += 1;
        faults.push(rule.fault);
      }
      return faults;
    },
  };
}

function ruleMatches(rule: FaultRule, { call, hotkey, executionType }: SeenCall): boolean {
  return (
    (rule.call === "any" || rule.call === call) &&
    (rule.hotkey === undefined || rule.hotkey === hotkey) &&
    (rule.executionType === undefined || rule.executionType === executionType)
  );
}

/** Returns a source of numbers from 0 to 1, from a 32-bit state (a multiply and xor-shift mix of a counter). */
function seededChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const SEND_KINDS: readonly string[] = [
  "halfBody",
  "cutAfterAnswer",
  "endlessBody",
  "compressed",
  "redirect",
  "answer",
] satisfies readonly SendFault["kind"][];
const TEXT_KINDS: readonly string[] = [
  "cursorsBack",
  "number",
  "duplicateKey",
  "contradict",
  "invalidJson",
  "otherSubaccount",
  "replace",
] satisfies readonly TextFault["kind"][];

/** True when the fault changes how the answer is sent. */
export function isSendFault(fault: Fault): fault is SendFault {
  return SEND_KINDS.includes(fault.kind);
}

function isTextFault(fault: Fault): fault is TextFault {
  return TEXT_KINDS.includes(fault.kind);
}

/** The text of an answer after one fault; faults of other kinds leave it as it is. */
export function spoilText(text: string, fault: Fault): string {
  if (!isTextFault(fault)) return text;
  switch (fault.kind) {
    case "number":
      return text.replace(new RegExp(`("${fault.key}":)-?[0-9.eE+-]+`), `$1${fault.text}`);
    case "duplicateKey":
      return text.replace(`"${fault.key}":`, `"${fault.key}":"again","${fault.key}":`);
    case "contradict":
      return contradictText(text, fault.what);
    case "invalidJson":
      return `${text.slice(0, -1)},,`;
    case "otherSubaccount":
      return replaceIds(text, fault.hotkey);
    case "replace":
      return text.replace(fault.text, () => fault.by);
    case "cursorsBack":
      return text.replace(
        CURSORS,
        (_, key: string, ms: string) => `${key}${Number(ms) - fault.byMs}`,
      );
  }
}

const CONTRADICTION_FACTOR = 3;

function contradictText(text: string, what: "quantity" | "direction"): string {
  return what === "quantity"
    ? text.replace(
        /('quantity': )(-?[\d.e-]+)/,
        (_, key: string, is: string) => `${key}${CONTRADICTION_FACTOR * Number(is)}`,
      )
    : text.replace(/('order_type': ')(LONG|SHORT)/, (_, key: string, is: string) =>
        is === "LONG" ? `${key}SHORT` : `${key}LONG`,
      );
}

const CURSORS = /("(?:positions|limit_orders|checkpoints|daily_returns)_time_ms":)(\d+)/g;

function replaceIds(text: string, hotkey: string): string {
  const number = hotkey.slice(hotkey.lastIndexOf("_") + 1);
  return text
    .replace(/("synthetic_hotkey":)"[^"]*"/, `$1"${hotkey}"`)
    .replace(/("subaccount_id":)\d+/, `$1${number}`);
}

/** A gzip body; with `bytes` it has that many spaces before the text. */
export function gzipBody(text: string, bytes = 0): Buffer {
  return gzipSync(Buffer.concat([Buffer.alloc(bytes, " "), Buffer.from(text)]));
}
