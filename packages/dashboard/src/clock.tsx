import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

/** The browser's time, the only place that reads it. Unix milliseconds. */
export function browserNow(): number {
  return Date.now();
}

interface ServiceClock {
  /** The service's time, by what its last answer said. */
  readonly now: () => number;
  readonly set: (serviceNowMs: number) => void;
}

const ClockContext = createContext<ServiceClock>({ now: browserNow, set: () => undefined });

/** Countdowns follow the service's clock: a browser's own may be minutes off, a replay's years. */
export function ClockProvider({ children }: { readonly children: ReactNode }) {
  const clock = useMemo(() => {
    let aheadMs = 0;
    return {
      now: () => browserNow() + aheadMs,
      set: (serviceNowMs: number) => {
        aheadMs = serviceNowMs - browserNow();
      },
    };
  }, []);
  return <ClockContext.Provider value={clock}>{children}</ClockContext.Provider>;
}

export function useServiceClock(): ServiceClock {
  return useContext(ClockContext);
}

/** The service's time, once a second. */
export function useNow(): number {
  const clock = useServiceClock();
  const [now, setNow] = useState(clock.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), 1000);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}
