import { gzipSync } from "node:zlib";

/** The kinds of calls that a fault can meet. */
export const CALLS = [
  "submit",
  "status",
  "health",
  "dashboard",
  "limits",
  "pairs",
  "payout",
] as const;
export type CallName = (typeof CALLS)[number];

/** One fault of a call. `after` means: the validator did the work, but the answer is lost. */
export type Fault =
  | { readonly kind: "slow"; readonly beforeMs?: number; readonly afterMs?: number }
  | { readonly kind: "cut"; readonly when: "before" | "after" }
  /** The headers promise the whole body; half of it comes, then the connection ends. */
  | { readonly kind: "halfBody" }
  /** The whole answer comes, then the connection is destroyed. */
  | { readonly kind: "cutAfterAnswer" }
  /** 500; after the work a submit answers `success: false` with its `order_uuid`. */
  | { readonly kind: "error500"; readonly when: "before" | "after" }
  /** The ids that an earlier reader drained come again in `closed_orders`. */
  | { readonly kind: "drainAgain" }
  /** Another reader drains `closed_orders` just before this call. */
  | { readonly kind: "drainedByAnother" }
  /** Every `*_time_ms` cursor of the dashboard is smaller by this. */
  | { readonly kind: "cursorsBack"; readonly byMs: number }
  /** Replaces the number of a key, such as `balance`, by text: NaN, Infinity, 400 digits. */
  | { readonly kind: "number"; readonly key: string; readonly text: string }
  /** Repeats a key of the answer with another value: `"key": value, "key": "again"`. */
  | { readonly kind: "duplicateKey"; readonly key: string }
  | { readonly kind: "endlessBody" }
  /** Gzip; with `bytes` a body that unpacks to that many bytes of spaces and the answer. */
  | { readonly kind: "compressed"; readonly bytes?: number }
  | { readonly kind: "redirect"; readonly location: string }
  | { readonly kind: "invalidJson" }
  /** The ids of another subaccount take the place of the right ones. */
  | { readonly kind: "otherSubaccount"; readonly hotkey: string }
  /** The subaccount of the call is eliminated before or after the work. */
  | { readonly kind: "eliminate"; readonly when: "before" | "after" }
  /** Any answer; the work is done. */
  | { readonly kind: "answer"; readonly status: number; readonly body: string };

/** When a fault happens: at the n-th calls from now on (1 is the next), or by chance. */
export interface FaultRule {
  readonly call: CallName | "any";
  readonly fault: Fault;
  /** The numbers of the matching calls, counted from the rule's beginning. */
  readonly nth?: readonly number[];
  /** From 0 to 1, decided by the seed. */
  readonly probability?: number;
  /** Only submits of this execution type. */
  readonly executionType?: string;
  readonly hotkey?: string;
  /** The rule ends after this many faults. */
  readonly times?: number;
}

/** A call as the rules see it. */
export interface SeenCall {
  readonly call: CallName;
  readonly hotkey: string | null;
  readonly executionType: string | null;
}

/** A fault that happened, in the order of time. */
export interface FaultRecord extends SeenCall {
  readonly fault: Fault;
  readonly orderUuid: string | null;
}

/** The rules of the faults, and the chance that decides them. */
export interface FaultPlan {
  add(rule: FaultRule): void;
  clear(): void;
  /** The faults of a call, one at most for each rule, in the order of the rules. */
  next(call: SeenCall): readonly Fault[];
}

/** A plan whose chance depends on the seed alone. */
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
        if (!matches(rule, call)) continue;
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

function matches(rule: FaultRule, { call, hotkey, executionType }: SeenCall): boolean {
  return (
    (rule.call === "any" || rule.call === call) &&
    (rule.hotkey === undefined || rule.hotkey === hotkey) &&
    (rule.executionType === undefined || rule.executionType === executionType)
  );
}

/** Numbers from 0 to 1 from a 32-bit state (a multiply and xor-shift mix of a counter). */
function seededChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** The bytes of an answer after the faults that change its text. */
export function spoilText(text: string, fault: Fault): string {
  switch (fault.kind) {
    case "number":
      return text.replace(numberOf(fault.key), `$1${fault.text}`);
    case "duplicateKey":
      return text.replace(new RegExp(`"${fault.key}":`), `"${fault.key}":"again","${fault.key}":`);
    case "invalidJson":
      return `${text.slice(0, -1)},,`;
    case "otherSubaccount":
      return otherIds(text, fault.hotkey);
    case "cursorsBack":
      return text.replace(/("[a-z_]+_time_ms":)(\d+)(?=[,}])/g, (whole, key: string, ms: string) =>
        CURSORS.test(key) ? `${key}${Number(ms) - fault.byMs}` : whole,
      );
    default:
      return text;
  }
}

const CURSORS = /"(positions|limit_orders|checkpoints|daily_returns)_time_ms"/;

function numberOf(key: string): RegExp {
  return new RegExp(`("${key}":)-?[0-9.eE+-]+`);
}

function otherIds(text: string, hotkey: string): string {
  const number = hotkey.slice(hotkey.lastIndexOf("_") + 1);
  return text
    .replace(/("synthetic_hotkey":)"[^"]*"/, `$1"${hotkey}"`)
    .replace(/("subaccount_id":)\d+/, `$1${number}`);
}

/** A gzip body; with `bytes` it has that many spaces before the text. */
export function compress(text: string, bytes = 0): Buffer {
  return gzipSync(Buffer.concat([Buffer.alloc(bytes, " "), Buffer.from(text)]));
}
