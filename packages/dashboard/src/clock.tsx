import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

/** The browser's time in Unix milliseconds. No other code of the pages reads it. */
function browserNow(): number {
  return Date.now();
}

interface ServiceClock {
  /** The service's time, based on its last answer. */
  readonly now: () => number;
  readonly set: (serviceNowMs: number) => void;
  /** Calls the listener when the service's time jumps. Returns a function that removes the listener. */
  readonly onJump: (listener: () => void) => () => void;
}

/** A smaller difference may be network delay and does not count as a jump. */
const JUMP_MS = 1000;

const ClockContext = createContext<ServiceClock>({
  now: browserNow,
  set: () => undefined,
  onJump: () => () => undefined,
});

/** Countdowns follow the service's clock: the browser's may be minutes off, a replay's years. */
export function ClockProvider({ children }: { readonly children: ReactNode }) {
  const clock = useMemo((): ServiceClock => {
    const listeners = new Set<() => void>();
    let aheadMs = 0;
    return {
      now: () => browserNow() + aheadMs,
      set: (serviceNowMs: number) => {
        const beforeMs = aheadMs;
        aheadMs = serviceNowMs - browserNow();
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

/** The service's time, updated every second. */
export function useNow(): number {
  const clock = useServiceClock();
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
