import { PATH_PREFIX } from "@propgate/contract";

/** What a service has beside the six endpoints of the specification. */
export const SERVICE_PATHS = {
  instruments: `${PATH_PREFIX}/trading/instruments`,
  quotes: `${PATH_PREFIX}/trading/quotes`,
  receipts: `${PATH_PREFIX}/trading/receipts`,
  preview: `${PATH_PREFIX}/trading/preview`,
  time: `${PATH_PREFIX}/time`,
  health: "/health",
} as const;
