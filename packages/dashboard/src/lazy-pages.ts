/** The pages. The script of each one is loaded separately. */
import { useEffect } from "react";
import { lazyPage } from "./frame/lazy-page.tsx";

export const SignInPage = lazyPage(() => import("./pages/sign-in/sign-in.tsx"), "SignInPage");
export const LinkPage = lazyPage(() => import("./pages/sign-in/link.tsx"), "LinkPage");
export const NoAccountPage = lazyPage(() => import("./pages/no-account.tsx"), "NoAccountPage");
export const SecurityPage = lazyPage(() => import("./pages/security/security.tsx"), "SecurityPage");
export const DebuggerPage = lazyPage(() => import("./pages/debugger/debugger.tsx"), "DebuggerPage");
export const ApiReferencePage = lazyPage(() => import("./pages/docs/docs.tsx"), "DocsPage");

/** The pages of one account. */
export const ACCOUNT_PAGES = {
  overview: lazyPage(() => import("./pages/overview/overview.tsx"), "OverviewPage"),
  positions: lazyPage(() => import("./pages/positions/positions.tsx"), "PositionsPage"),
  orders: lazyPage(() => import("./pages/positions/orders.tsx"), "OrdersPage"),
  trades: lazyPage(() => import("./pages/trades/trades.tsx"), "TradesPage"),
  payouts: lazyPage(() => import("./pages/payouts/payouts.tsx"), "PayoutsPage"),
  pro: lazyPage(() => import("./pages/pro/pro.tsx"), "ProPage"),
  journal: lazyPage(() => import("./pages/journal/journal.tsx"), "JournalPage"),
  keys: lazyPage(() => import("./pages/keys/keys.tsx"), "KeysPage"),
};

/** The pages of the operator's console. */
export const CONSOLE_PAGES = {
  health: lazyPage(() => import("./pages/console/health.tsx"), "HealthPage"),
  accounts: lazyPage(() => import("./pages/console/accounts/accounts.tsx"), "AccountsPage"),
  people: lazyPage(() => import("./pages/console/people.tsx"), "PeoplePage"),
  payouts: lazyPage(() => import("./pages/console/payouts.tsx"), "ConsolePayoutsPage"),
  programs: lazyPage(() => import("./pages/console/programs/programs.tsx"), "ProgramsPage"),
  instruments: lazyPage(() => import("./pages/console/instruments.tsx"), "InstrumentsPage"),
  prices: lazyPage(() => import("./pages/console/prices/prices.tsx"), "PricesPage"),
  audit: lazyPage(() => import("./pages/console/audit.tsx"), "AuditPage"),
};

const GENERAL_PAGES = [SignInPage, SecurityPage, DebuggerPage, ApiReferencePage];

type Preloaded = readonly { readonly preload: () => Promise<void> }[];

/** The pages that are loaded in advance for an owner. */
export const OWNER_PRELOADS: Preloaded = [...Object.values(ACCOUNT_PAGES), ...GENERAL_PAGES];
/** The pages that are loaded in advance for an operator. */
export const CONSOLE_PRELOADS: Preloaded = [...Object.values(CONSOLE_PAGES), ...GENERAL_PAGES];

/** The wait before other pages are loaded in advance, so that the first page does not share the network with them. */
const PRELOAD_AFTER_MS = 3_000;

/** Loads these pages some seconds after the current one, so that a click works while the service is down. */
export function usePreload(pages: Preloaded): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const page of pages) void page.preload();
    }, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [pages]);
}
