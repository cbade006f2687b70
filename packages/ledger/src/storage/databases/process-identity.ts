import { readFileSync, readlinkSync } from "node:fs";
import { hasCode } from "./error-code.ts";

/**
 * Identifies a process. Where /proc exists, no other process has the same identity, not even a later process with the
 * same process number.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * The id of the machine's present boot, a colon, and the start of the process in clock ticks after this boot; null
   * where /proc is missing.
   */
  readonly startedAt: string | null;
  /** The namespace of process numbers, such as a container's; null where /proc is missing. */
  readonly pidNamespace: string | null;
}

/** The identity of this process, as JSON. */
export function ownProcessIdentity(): string {
  const { pid } = process;
  const mark: ProcessIdentity = {
    pid,
    startedAt: statusOf(pid)?.startedAt ?? null,
    pidNamespace: ownSpace(),
  };
  return JSON.stringify(mark);
}

/** The identity in the text; null when the text is incomplete, because the process died while it wrote the text. */
export function parseProcessIdentity(text: string): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    if (!("pid" in value) || typeof value.pid !== "number") return null;
    const field = (name: Exclude<keyof ProcessIdentity, "pid">): string | null => {
      const found: unknown = Reflect.get(value, name);
      return typeof found === "string" ? found : null;
    };
    return { pid: value.pid, startedAt: field("startedAt"), pidNamespace: field("pidNamespace") };
  } catch {
    return null;
  }
}

/** True when the process runs on this machine. Without /proc, true when any process has its number. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if (hasCode(cause, "ESRCH")) return false;
  }
  const now = statusOf(pid);
  if (now === null) return true;
  // A killed process keeps its number until its parent reaps it. It has no open files any more, so it counts as ended.
  if (ENDED_STATES.has(now.state)) return false;
  return startedAt === null || now.startedAt === startedAt;
}

/**
 * True when the process ran on this machine since the machine's present boot, in the same namespace of process numbers
 * as this process, and has ended. False when the text does not show this.
 */
export function hasEndedHere(text: string): boolean {
  const mark = parseProcessIdentity(text);
  if (mark === null || mark.startedAt === null || mark.pidNamespace === null) return false;
  const boot = mark.startedAt.split(":")[0];
  const isHere =
    mark.pidNamespace === ownSpace() && boot === statusOf(process.pid)?.startedAt.split(":")[0];
  return isHere && !isRunning(mark);
}

/** The states zombie and dead, as Linux names them. */
const ENDED_STATES: ReadonlySet<string> = new Set(["Z", "X", "x"]);

/**
 * The state and the start of a process from `/proc`; null when there is no such process or no `/proc`. The name of the
 * process is in parentheses and may contain spaces, so fields are counted from the closing parenthesis.
 */
function statusOf(pid: number): { readonly state: string; readonly startedAt: string } | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    const ticks = fields[19];
    return state === undefined || ticks === undefined
      ? null
      : { state, startedAt: `${boot}:${ticks}` };
  } catch {
    return null;
  }
}

function ownSpace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}
