import type { QueryClient } from "@tanstack/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useNavigate,
} from "@tanstack/react-router";
import { useCallback } from "react";
import { accountsQuery, sessionQuery } from "./api/session.ts";
import { AccountFrame, ConsoleFrame, GeneralFrame } from "./frame/frame.tsx";
import { RouteFailed, RouteMissing } from "./frame/route-failed.tsx";
import { AccountLiveProvider } from "./live/account-live.tsx";
import { tradeFilterOf } from "./pages/trades/trade-filter.ts";

interface Context {
  readonly queries: QueryClient;
}

/** Where to go on after signing in. */
interface SignInSearch {
  readonly next?: string;
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: RouteMissing,
  errorComponent: ({ error }) => <RouteFailed error={error} />,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search): SignInSearch =>
    typeof search.next === "string" && isOwnPath(search.next) ? { next: search.next } : {},
  component: lazyRouteComponent(() => import("./pages/sign-in/sign-in.tsx"), "SignInPage"),
});

const link = createRoute({
  getParentRoute: () => root,
  path: "/link",
  component: lazyRouteComponent(() => import("./pages/sign-in/link.tsx"), "LinkPage"),
});

/** Only paths of these pages are gone to, never another place that a link names. */
function isOwnPath(path: string): boolean {
  return path.startsWith("/") && !path.startsWith("//") && !path.includes("\\");
}

/** Everything below needs somebody who is signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.fetchQuery(sessionQuery);
    if (session === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
    return { session };
  },
});

/** Sends each to what is theirs: an owner to the newest account, an operator to the console. */
const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: async ({ context }) => {
    if (context.session.person.role === "operator") throw redirect({ to: "/console" });
    const [first] = await context.queries.fetchQuery(accountsQuery);
    if (first !== undefined) {
      throw redirect({ to: "/a/$accountId", params: { accountId: first.accountId } });
    }
  },
  component: lazyRouteComponent(() => import("./pages/no-account.tsx"), "NoAccountPage"),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: "/a/$accountId",
  component: AccountLayout,
});

function AccountLayout() {
  const { accountId } = account.useParams();
  const { session } = account.useRouteContext();
  const navigate = useNavigate();
  const onSignedOut = useCallback(
    () => void navigate({ to: "/sign-in", search: { next: `/a/${accountId}` } }),
    [navigate, accountId],
  );
  return (
    <AccountLiveProvider key={accountId} accountId={accountId} onSignedOut={onSignedOut}>
      <AccountFrame session={session} />
    </AccountLiveProvider>
  );
}

const overview = createRoute({
  getParentRoute: () => account,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/overview/overview.tsx"), "OverviewPage"),
});
const positions = createRoute({
  getParentRoute: () => account,
  path: "positions",
  component: lazyRouteComponent(() => import("./pages/positions/positions.tsx"), "PositionsPage"),
});
const orders = createRoute({
  getParentRoute: () => account,
  path: "orders",
  component: lazyRouteComponent(() => import("./pages/positions/orders.tsx"), "OrdersPage"),
});
const trades = createRoute({
  getParentRoute: () => account,
  path: "trades",
  validateSearch: tradeFilterOf,
  component: lazyRouteComponent(() => import("./pages/trades/trades.tsx"), "TradesPage"),
});
const payouts = createRoute({
  getParentRoute: () => account,
  path: "payouts",
  component: lazyRouteComponent(() => import("./pages/payouts/payouts.tsx"), "PayoutsPage"),
});
const pro = createRoute({
  getParentRoute: () => account,
  path: "pro",
  component: lazyRouteComponent(() => import("./pages/pro/pro.tsx"), "ProPage"),
});
const journal = createRoute({
  getParentRoute: () => account,
  path: "journal",
  component: lazyRouteComponent(() => import("./pages/journal/journal.tsx"), "JournalPage"),
});
const keys = createRoute({
  getParentRoute: () => account,
  path: "keys",
  component: lazyRouteComponent(() => import("./pages/keys/keys.tsx"), "KeysPage"),
});

const security = createRoute({
  getParentRoute: () => signedIn,
  path: "/security",
  component: SecurityLayout,
});
const securityPage = createRoute({
  getParentRoute: () => security,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/security/security.tsx"), "SecurityPage"),
});

function SecurityLayout() {
  const { session } = security.useRouteContext();
  return <GeneralFrame session={session} />;
}

/** The operator's console. */
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
  return <ConsoleFrame session={session} />;
}

/** What a page of the console is to look for at first, from a link or the search. */
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
    component: lazyRouteComponent(() => import("./pages/console/health.tsx"), "HealthPage"),
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "accounts",
    component: lazyRouteComponent(
      () => import("./pages/console/accounts/accounts.tsx"),
      "AccountsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "people",
    component: lazyRouteComponent(() => import("./pages/console/people.tsx"), "PeoplePage"),
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "payouts",
    component: lazyRouteComponent(
      () => import("./pages/console/payouts.tsx"),
      "ConsolePayoutsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "programs",
    component: lazyRouteComponent(
      () => import("./pages/console/programs/programs.tsx"),
      "ProgramsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "instruments",
    component: lazyRouteComponent(
      () => import("./pages/console/instruments.tsx"),
      "InstrumentsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => operatorConsole,
    path: "audit",
    component: lazyRouteComponent(() => import("./pages/console/audit.tsx"), "AuditPage"),
  }),
] as const;

/** There for everybody, also for who is not signed in. */
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
  component: lazyRouteComponent(() => import("./pages/debugger/debugger.tsx"), "DebuggerPage"),
});
const apiReference = createRoute({
  getParentRoute: () => open,
  path: "/docs/api",
  component: lazyRouteComponent(() => import("./pages/docs/docs.tsx"), "DocsPage"),
});

/** Every page and where it stands. */
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
  return createRouter({ routeTree, context: { queries }, scrollRestoration: true });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}
