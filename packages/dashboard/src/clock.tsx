import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

/** The browser's time in Unix milliseconds. The pages read it nowhere else. */
function browserNow(): number {
  return Date.now();
}

interface ServiceClock {
  /** The service's time in Unix milliseconds, estimated from its newest answer. */
  readonly now: () => number;
  /** `browserMs` is the browser's time at which the service's time arrived; by default the present. */
  readonly set: (serviceNowMs: number, browserMs?: number) => void;
  /** Calls the listener whenever the service's time jumps. Returns a function that removes the listener. */
  readonly onJump: (listener: () => void) => () => void;
}

/** A change of at least this counts as a jump of the service's time. A smaller one may be network delay. */
const JUMP_MS = 1000;

const BROWSER_CLOCK: ServiceClock = {
  now: browserNow,
  set: () => undefined,
  onJump: () => () => undefined,
};
const ClockContext = createContext(BROWSER_CLOCK);

/**
 * Provides the service's clock, which countdowns follow. The browser's clock may be minutes off, and a replay's time
 * may be years away.
 */
export function ClockProvider({ children }: { readonly children: ReactNode }) {
  const clock = useMemo((): ServiceClock => {
    const listeners = new Set<() => void>();
    let aheadMs = 0;
    return {
      now: () => browserNow() + aheadMs,
      set: (serviceNowMs, browserMs = browserNow()) => {
        const beforeMs = aheadMs;
        aheadMs = serviceNowMs - browserMs;
        if (Math.abs(aheadMs - beforeMs) >= JUMP_MS) for (const listener of listeners) listener();
      },
      onJump: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
  }, []);
  return <ClockContext.Provider value={clock}>{children}</ClockContext.Provider>;
}

export function useServiceClock(): ServiceClock {
  return useContext(ClockContext);
}

/** The milliseconds since a time of the browser's clock. The value is updated every second. */
export function useTimeSince(browserMs: number): number {
  return useTimeOf(BROWSER_CLOCK) - browserMs;
}

/** The service's time. The value is updated every second and after a jump of that time. */
export function useNow(): number {
  return useTimeOf(useServiceClock());
}

function useTimeOf(clock: ServiceClock): number {
  const [now, setNow] = useState(clock.now);
  useEffect(() => {
    const look = (): void => setNow(clock.now());
    const timer = setInterval(look, 1000);
    const end = clock.onJump(look);
    return () => {
      clearInterval(timer);
      end();
    };
  }, [clock]);
  return now;
}
