import type { QueryClient } from "@tanstack/react-query";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { useEffect } from "react";
import { ownPath } from "./api/own-path.ts";
import { accountsQuery, sessionQuery } from "./api/session.ts";
import { useServiceClock } from "./clock.tsx";
import { AccountFrame, ConsoleFrame, GeneralFrame } from "./frame/frame.tsx";
import { keepLastAccount, readLastAccount } from "./frame/last-account.ts";
import { RouteFailed, RouteMissing } from "./frame/route-failed.tsx";
import { currentSession } from "./frame/session-watch.ts";
import {
  ACCOUNT_PAGES,
  ApiReferencePage,
  CONSOLE_PAGES,
  CONSOLE_PRELOADS,
  DebuggerPage,
  LinkPage,
  NoAccountPage,
  OWNER_PRELOADS,
  SecurityPage,
  SignInPage,
  usePreload,
} from "./lazy-pages.ts";
import { AccountLiveProvider } from "./live/account-live.tsx";
import { accountFilterOf } from "./pages/console/accounts/account-filter.ts";
import { healthQuery } from "./pages/console/queries.ts";
import { tradeFilterOf } from "./pages/trades/trade-filter.ts";

interface Context {
  readonly queries: QueryClient;
}

/** The query parameters of the sign-in page. `next` is the path to open after signing in. */
interface SignInSearch {
  readonly next?: string | undefined;
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: RouteMissing,
  errorComponent: RouteFailed,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  // The router merges this result over the URL's query parameters, so a rejected value has to be overwritten.
  validateSearch: ({ next }): SignInSearch => ({
    next: ownPath(next, location.origin) ?? undefined,
  }),
  component: SignInPage,
});

const link = createRoute({
  getParentRoute: () => root,
  path: "/link",
  component: LinkPage,
});

/** The parent of the pages for which a person has to be signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    const session = await currentSession(context.queries);
    if (session === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
    return { session };
  },
});

/**
 * Redirects an operator to the console, and an owner to the account that was shown last, or to the newest one. An owner
 * without an account sees a page that says so.
 */
const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: async ({ context }) => {
    if (context.session.person.role === "operator") throw redirect({ to: "/console" });
    const accounts = await context.queries.fetchQuery(accountsQuery);
    const last = readLastAccount();
    const shown = accounts.find(({ accountId }) => accountId === last) ?? accounts[0];
    if (shown !== undefined) {
      throw redirect({ to: "/a/$accountId", params: { accountId: shown.accountId } });
    }
  },
  component: NoAccountPage,
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: "/a/$accountId",
  component: AccountLayout,
});

function AccountLayout() {
  const { accountId } = account.useParams();
  const { session } = account.useRouteContext();
  useEffect(() => keepLastAccount(accountId), [accountId]);
  usePreload(OWNER_PRELOADS);
  return (
    <AccountLiveProvider key={accountId} accountId={accountId}>
      <AccountFrame session={session} />
    </AccountLiveProvider>
  );
}

const overview = createRoute({
  getParentRoute: () => account,
  path: "/",
  component: ACCOUNT_PAGES.overview,
});
const positions = createRoute({
  getParentRoute: () => account,
  path: "positions",
  component: ACCOUNT_PAGES.positions,
});
const orders = createRoute({
  getParentRoute: () => account,
  path: "orders",
  component: ACCOUNT_PAGES.orders,
});
const trades = createRoute({
  getParentRoute: () => account,
  path: "trades",
  validateSearch: tradeFilterOf,
  component: ACCOUNT_PAGES.trades,
});
const payouts = createRoute({
  getParentRoute: () => account,
  path: "payouts",
  component: ACCOUNT_PAGES.payouts,
});
const pro = createRoute({
  getParentRoute: () => account,
  path: "pro",
  component: ACCOUNT_PAGES.pro,
});
const journal = createRoute({
  getParentRoute: () => account,
  path: "journal",
  component: ACCOUNT_PAGES.journal,
});
const keys = createRoute({
  getParentRoute: () => account,
  path: "keys",
  component: ACCOUNT_PAGES.keys,
});

const security = createRoute({
  getParentRoute: () => signedIn,
  path: "/security",
  component: SecurityLayout,
});
const securityPage = createRoute({
  getParentRoute: () => security,
  path: "/",
  component: SecurityPage,
});

function SecurityLayout() {
  const { session } = security.useRouteContext();
  return <GeneralFrame session={session} />;
}

/** The pages of the operator's console. An owner is redirected to their account. */
const operatorConsole = createRoute({
  getParentRoute: () => signedIn,
  path: "/console",
  validateSearch: consoleSearch,
  beforeLoad: ({ context }) => {
    if (context.session.person.role !== "operator") throw redirect({ to: "/" });
  },
  component: ConsoleLayout,
});

function ConsoleLayout() {
  const { session } = operatorConsole.useRouteContext();
  usePreload(CONSOLE_PRELOADS);
  useHealthClock();
  return <ConsoleFrame session={session} />;
}

const CLOCK_EVERY_MS = 30_000;

/** Sets the clock to the service's time. The pages of an account do not need this: each state contains the time. */
function useHealthClock(): void {
  const clock = useServiceClock();
  const { data, dataUpdatedAt } = useQuery({ ...healthQuery, refetchInterval: CLOCK_EVERY_MS });
  useEffect(() => {
    if (data !== undefined) clock.set(data.nowMs, dataUpdatedAt);
  }, [clock, data, dataUpdatedAt]);
}

/** The query parameters of a console page that a link or the search field in the header opens. */
interface ConsoleSearch {
  readonly q?: string;
  readonly payout?: string;
  readonly account?: string;
}

function consoleSearch(search: Record<string, unknown>): ConsoleSearch {
  const { q, payout, account } = search;
  return {
    ...(typeof q === "string" ? { q } : {}),
    ...(typeof payout === "string" ? { payout } : {}),
    ...(typeof account === "string" ? { account } : {}),
  };
}

const CONSOLE = [
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "/",
    component: CONSOLE_PAGES.health,
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "accounts",
    validateSearch: accountFilterOf,
    component: CONSOLE_PAGES.accounts,
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "people",
    component: CONSOLE_PAGES.people,
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "payouts",
    component: CONSOLE_PAGES.payouts,
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "programs",
    component: CONSOLE_PAGES.programs,
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "instruments",
    component: CONSOLE_PAGES.instruments,
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "prices",
    component: CONSOLE_PAGES.prices,
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "audit",
    component: CONSOLE_PAGES.audit,
  }),
] as const;

/** The parent of the public pages, for which no person has to be signed in. */
const open = createRoute({
  getParentRoute: () => root,
  id: "open",
  component: OpenLayout,
});

function OpenLayout() {
  const session = useSuspenseQuery(sessionQuery);
  return <GeneralFrame session={session.data} />;
}

const debuggerPage = createRoute({
  getParentRoute: () => open,
  path: "/debugger",
  component: DebuggerPage,
});
const apiReference = createRoute({
  getParentRoute: () => open,
  path: "/docs/api",
  component: ApiReferencePage,
});

/** The router with every page and its path. */
export function createPages(queries: QueryClient) {
  const routeTree = root.addChildren([
    signIn,
    link,
    signedIn.addChildren([
      home,
      account.addChildren([overview, positions, orders, trades, payouts, pro, journal, keys]),
      security.addChildren([securityPage]),
      operatorConsole.addChildren(CONSOLE),
    ]),
    open.addChildren([debuggerPage, apiReference]),
  ]);
  return createRouter({
    routeTree,
    context: { queries },
    defaultErrorComponent: RouteFailed,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}
