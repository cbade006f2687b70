import type { AccountChoice, SessionView } from "@propgate/contract";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { accountsQuery } from "../api/session.ts";
import { useAccountLive } from "../live/account-live.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { ConsoleSearch } from "./console-search.tsx";
import { accountPages, CONSOLE_PAGES, type Destination, GENERAL_PAGES } from "./destinations.ts";
import { LiveLine } from "./live-line.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { ThemeSwitch } from "./theme.tsx";

interface FrameProps {
  /** Null: the pages that are there for everybody. */
  readonly session: SessionView | null;
  /** Beside the brand: what the page is about. */
  readonly about?: ReactNode;
  readonly pages: readonly Destination[];
  readonly children?: ReactNode;
}

/** Brand, what it is about, who is signed in; below it where one can go; below that the page. */
export function Frame({ session, about, pages, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  usePageTitle([...pages, ...GENERAL_PAGES], main);
  return (
    <div className="mx-auto flex min-h-dvh max-w-[100rem] flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-3"
      >
        To the content
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
        {children ?? <Outlet />}
      </main>
    </div>
  );
}

function Navigation({ pages }: { readonly pages: readonly Destination[] }) {
  return (
    <nav aria-label="Pages" className="flex flex-wrap gap-x-1 px-2 max-md:px-1">
      {pages.map(({ path, name, count }) => (
        <Link
          key={path}
          to={path}
          activeOptions={{ exact: true }}
          className="border-b-2 border-transparent px-2 py-1.5 text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {name}
          {count !== undefined && (
            <span className="figure ml-1 inline-block min-w-[2ch] text-xs">{count ?? ""}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** The window's title says where one is; whoever listens hears it after each step. */
function usePageTitle(
  pages: readonly Destination[],
  main: React.RefObject<HTMLElement | null>,
): void {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const first = useRef(true);
  const name = pages.find((page) => page.path === path)?.name;
  useEffect(() => {
    document.title = name === undefined ? "Propgate" : `${name} · Propgate`;
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [name, main]);
}

/** The frame of one account's pages: the account can be changed, and how live it is is told. */
export function AccountFrame({ session }: { readonly session: SessionView }) {
  const { accountId, state } = useAccountLive();
  return (
    <Frame
      session={session}
      pages={accountPages(accountId, {
        positions: state?.positions.length ?? null,
        orders: state?.orders.length ?? null,
      })}
      about={
        <>
          <AccountSwitcher accountId={accountId} />
          <LiveLine />
          {session.person.role === "operator" && (
            <Link to="/console" className="text-accent">
              Console
            </Link>
          )}
        </>
      }
    />
  );
}

function AccountSwitcher({ accountId }: { readonly accountId: string }) {
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
        className="max-w-full rounded-box max-sm:w-full border border-line bg-panel px-2 py-1 font-medium"
      >
        {!isListed && <option value={accountId}>{shortId(accountId)}</option>}
        {choices.map((choice) => (
          <option key={choice.accountId} value={choice.accountId}>
            {choiceText(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}

function choiceText({ title, accountId, isEliminated }: AccountChoice): string {
  return `${title} · ${shortId(accountId)}${isEliminated ? " · eliminated" : ""}`;
}

/** Enough of an id to tell accounts apart. */
function shortId(accountId: string): string {
  return accountId.slice(0, 8);
}

export function ConsoleFrame({ session }: { readonly session: SessionView }) {
  return (
    <Frame
      session={session}
      pages={CONSOLE_PAGES}
      about={
        <>
          <span className="text-muted max-sm:hidden">Operator's console</span>
          <ConsoleSearch />
        </>
      }
    />
  );
}

/** The frame of what belongs to no account: from it everybody finds back to what is theirs. */
export function GeneralFrame({ session }: { readonly session: SessionView | null }) {
  if (session === null) return <Frame session={null} pages={[]} />;
  return session.person.role === "operator" ? (
    <ConsoleFrame session={session} />
  ) : (
    <OwnerFrame session={session} />
  );
}

function OwnerFrame({ session }: { readonly session: SessionView }) {
  const [newest] = useSuspenseQuery(accountsQuery).data;
  return (
    <Frame session={session} pages={newest === undefined ? [] : accountPages(newest.accountId)} />
  );
}
