import {
  ACCOUNT_CHOICES_MAX,
  type AccountChoice,
  type Role,
  type SessionView,
} from "@propgate/contract";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { accountsQuery } from "../api/session.ts";
import { isOutdated, useAccountLive } from "../live/account-live.tsx";
import { LimitNotice } from "../live/limit-notice.tsx";
import { ClosedNotice, ConnectionNotice } from "../live/live-notice.tsx";
import { titleFigure } from "../live/near-limit.ts";
import { Button } from "../parts/button.tsx";
import { EmptyList, Notice } from "../parts/notice.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { accountPages, CONSOLE_PAGES, type Destination, GENERAL_PAGES } from "./destinations.ts";
import { readLastAccount } from "./last-account.ts";
import { LiveLine } from "./live-line.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { entryQuery } from "./served-entry.ts";
import { ThemeSwitch } from "./theme.tsx";

interface FrameProps {
  /** The session of the signed-in person; null on a public page when no person is signed in. */
  readonly session: SessionView | null;
  /** Shown beside the brand, such as the account. */
  readonly about?: ReactNode;
  readonly pages: readonly Destination[];
  /** The figure at the beginning of the window's title; null or absent when the title has none. */
  readonly figure?: string | null;
  readonly children?: ReactNode;
}

/** The frame of every page: the header with brand, account and person, the navigation, then the page itself. */
export function Frame({ session, about, pages, figure = null, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  usePageTitle([...pages, ...GENERAL_PAGES], { main, figure });
  return (
    <div className="mx-auto flex min-h-dvh max-w-[100rem] flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-3"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-ground">
        <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
          <Link to="/" className="font-semibold tracking-tight">
            {session?.networkName ?? "Propgate"}
          </Link>
          {about}
          <div className="ml-auto flex items-center gap-1">
            <CommandPalette pages={[...pages, ...GENERAL_PAGES]} />
            <ThemeSwitch />
            {session === null ? (
              <Link to="/sign-in" className="px-2 text-accent">
                Sign in
              </Link>
            ) : (
              <PersonMenu session={session} />
            )}
          </div>
        </div>
        <Navigation pages={[...pages, ...GENERAL_PAGES]} />
      </header>
      <main ref={main} id="content" tabIndex={-1} className="flex-1 p-4 outline-none max-sm:p-3">
        <NewVersionNotice />
        {children ?? <Outlet />}
      </main>
    </div>
  );
}

const NAVIGATION_LINK =
  "border-b-2 border-transparent px-2 py-1.5 text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text";

/** The notice that the service has newer pages. Older pages may make calls that the service does not have. */
function NewVersionNotice() {
  const isNew = useQuery(entryQuery).data;
  if (!isNew) return null;
  return (
    <div className="mb-3">
      <Notice kind="notice">
        A new version of these pages is available.{" "}
        <Button onClick={() => location.reload()}>Reload</Button>
      </Notice>
    </div>
  );
}

function Navigation({ pages }: { readonly pages: readonly Destination[] }) {
  return (
    <nav aria-label="Pages" className="flex flex-wrap gap-x-1 px-2 max-md:px-1">
      {pages.map(({ path, name, count, isDocument }) =>
        isDocument === true ? (
          <a key={path} href={path} className={NAVIGATION_LINK}>
            {name}
          </a>
        ) : (
          <Link
            key={path}
            to={path}
            // The link is marked as current on its page for every filter and search in the URL.
            activeOptions={{ exact: true, includeSearch: false }}
            className={NAVIGATION_LINK}
          >
            {name}
            {count !== undefined && (
              <span className="figure ml-1 inline-block min-w-[2ch] text-xs">{count ?? ""}</span>
            )}
          </Link>
        ),
      )}
    </nav>
  );
}

/**
 * Sets the window's title to the figure and the page's name. After each navigation a screen reader announces the new
 * page.
 */
function usePageTitle(
  pages: readonly Destination[],
  {
    main,
    figure,
  }: { readonly main: React.RefObject<HTMLElement | null>; readonly figure: string | null },
): void {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const announced = useRef<{ readonly name: string | undefined } | null>(null);
  const name = pages.find((page) => page.path === path)?.name;
  useEffect(() => {
    document.title = [figure, name, "Propgate"].filter((part) => part != null).join(" · ");
    const before = announced.current;
    announced.current = { name };
    if (before !== null && before.name !== name) main.current?.focus({ preventScroll: true });
  }, [figure, name, main]);
}

/** The frame of one account's pages, with the choice of the account and the state of the connection. */
export function AccountFrame({ session }: { readonly session: SessionView }) {
  const { accountId, state, status } = useAccountLive();
  if (status === "missing") return <AccountMissing session={session} />;
  return (
    <Frame
      session={session}
      figure={state === null || isOutdated(status) ? null : titleFigure(state)}
      pages={accountPages(accountId, {
        positions: state?.positions.length ?? null,
        orders: state?.orders.length ?? null,
      })}
      about={
        <>
          <AccountSwitcher accountId={accountId} personRole={session.person.role} />
          <LiveLine />
          {session.person.role === "operator" && (
            <Link to="/console" className="text-accent">
              Console
            </Link>
          )}
        </>
      }
    >
      <div data-aged={isOutdated(status)} className="flex flex-col gap-3">
        <ConnectionNotice />
        <ClosedNotice />
        <LimitNotice />
        <Outlet />
      </div>
    </Frame>
  );
}

/** Shown for the URL of an account that does not exist or belongs to another owner. */
function AccountMissing({ session }: { readonly session: SessionView }) {
  const { accountId } = useAccountLive();
  return (
    <Frame session={session} pages={[]}>
      <EmptyList title="Account not found">
        <p className="wrap-anywhere">
          You have no account with the id {accountId}. Check the address.
        </p>
        <p className="mt-3">
          <Link to="/" className="text-accent underline">
            {session.person.role === "operator" ? "Go to the console" : "Go to your accounts"}
          </Link>
        </p>
      </EmptyList>
    </Frame>
  );
}

interface AccountSwitcherProps {
  readonly accountId: string;
  readonly personRole: Role;
}

/** How a person opens an account that is older than the accounts in the list. */
const OLDER: Readonly<Record<Role, string>> = {
  owner: "Older accounts open by their address",
  operator: "The console lists older accounts",
};

function AccountSwitcher({ accountId, personRole }: AccountSwitcherProps) {
  const accounts = useQuery(accountsQuery);
  const navigate = useNavigate();
  const choices = accounts.data ?? [];
  const isListed = choices.some((choice) => choice.accountId === accountId);
  return (
    <label className="min-w-0 max-sm:w-full">
      <span className="sr-only">Account</span>
      <select
        value={accountId}
        onChange={(event) => void navigate({ to: `/a/${event.target.value}` })}
        className="w-96 max-w-full rounded-box max-sm:w-full border border-line bg-panel px-2 py-1 font-medium"
      >
        {!isListed && <option value={accountId}>{shortId(accountId)}</option>}
        {choices.map((choice) => (
          <option key={choice.accountId} value={choice.accountId}>
            {choiceText(choice)}
          </option>
        ))}
        {choices.length >= ACCOUNT_CHOICES_MAX[personRole] && (
          <option disabled>{OLDER[personRole]}</option>
        )}
      </select>
    </label>
  );
}

function choiceText({ title, accountId, isEliminated, isClosed }: AccountChoice): string {
  const end = isClosed ? " · closed" : isEliminated ? " · eliminated" : "";
  // The id comes last, because a narrow select box cuts off the end of the text.
  return `${title}${end} · ${shortId(accountId)}`;
}

/** The first part of an id, which is enough to distinguish a person's accounts. */
function shortId(accountId: string): string {
  return accountId.slice(0, 8);
}

/** Only operators have the search, so owners do not load it. */
const ConsoleSearch = lazy(() =>
  import("./console-search.tsx").then(
    (loaded) => ({ default: loaded.ConsoleSearch }),
    () => ({ default: SearchNotLoaded }),
  ),
);

function SearchNotLoaded() {
  return <span className="text-muted">The search could not be loaded.</span>;
}

export function ConsoleFrame({ session }: { readonly session: SessionView }) {
  return (
    <Frame
      session={session}
      pages={CONSOLE_PAGES}
      about={
        <>
          <span className="text-muted max-sm:hidden">Operator's console</span>
          <LastAccount />
          {/* The height of the search, so that the page does not move when the search has been loaded. */}
          <div className="relative min-h-8 min-w-0 flex-1 max-sm:order-last max-sm:basis-full sm:max-w-xs">
            <Suspense fallback={null}>
              <ConsoleSearch />
            </Suspense>
          </div>
        </>
      }
    />
  );
}

/** A link to the account that the operator opened last in this tab; empty when there is no such account. */
function LastAccount() {
  const accountId = readLastAccount();
  if (accountId === null) return null;
  return (
    <Link to="/a/$accountId" params={{ accountId }} className="text-accent">
      Account {shortId(accountId)}
    </Link>
  );
}

/** The frame of pages without an account. It links back to the account that was shown last in this tab. */
export function GeneralFrame({ session }: { readonly session: SessionView | null }) {
  if (session === null) return <Frame session={null} pages={[]} />;
  return session.person.role === "operator" ? (
    <ConsoleFrame session={session} />
  ) : (
    <OwnerFrame session={session} />
  );
}

function OwnerFrame({ session }: { readonly session: SessionView }) {
  const accounts = useSuspenseQuery(accountsQuery).data;
  const last = readLastAccount();
  const { accountId } = accounts.find((one) => one.accountId === last) ?? accounts[0] ?? {};
  if (accountId === undefined) return <Frame session={session} pages={[]} />;
  return (
    <Frame
      session={session}
      pages={accountPages(accountId)}
      about={<AccountSwitcher accountId={accountId} personRole="owner" />}
    />
  );
}
