import type { Log } from "@propgate/base";
import { type Instruments, isBeyondCalendar, type UnixMs } from "@propgate/core";
import type { SourceWarning } from "../prices/port.ts";

/** A warning for each session whose listed holidays have all passed, with the number of its pairs. @rule D6.sessions */
export function calendarWarnings(instruments: Instruments, now: UnixMs): readonly SourceWarning[] {
  const warnings = new Map<string, SourceWarning>();
  for (const { id, session } of instruments.values()) {
    if (!isBeyondCalendar(session, now)) continue;
    const seen = warnings.get(session.id);
    warnings.set(session.id, {
      source: `session ${session.id}`,
      reason: `pairs trade through holidays: none is listed after ${session.knownUntil}`,
      count: (seen?.count ?? 0) + 1,
      first: seen?.first ?? id,
    });
  }
  return [...warnings.values()];
}

/** Makes a function to call regularly. It logs the warning of each session once. */
export function createCalendarWarningLog(
  instruments: Instruments,
  log: Log,
): (now: UnixMs) => void {
  const alreadyWarned = new Set<string>();
  return (now) => {
    for (const warning of calendarWarnings(instruments, now)) {
      if (alreadyWarned.has(warning.source)) continue;
      alreadyWarned.add(warning.source);
      log.warn(warning, "the catalogue lists no further holidays");
    }
  };
}
