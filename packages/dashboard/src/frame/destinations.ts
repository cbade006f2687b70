/** A page that can be gone to, by the navigation and by the command palette. */
export interface Destination {
  readonly path: string;
  readonly name: string;
  /** How many there are to see; null: not known yet. */
  readonly count?: number | null;
}

/** What the navigation counts. */
interface Counts {
  readonly positions: number | null;
  readonly orders: number | null;
}

/** The pages of one account, in the order of the navigation. */
export function accountPages(accountId: string, counts?: Counts): readonly Destination[] {
  const base = `/a/${accountId}`;
  return [
    { path: base, name: "Overview" },
    { path: `${base}/positions`, name: "Positions", ...counted(counts?.positions) },
    { path: `${base}/orders`, name: "Orders", ...counted(counts?.orders) },
    { path: `${base}/trades`, name: "Trades" },
    { path: `${base}/payouts`, name: "Payouts" },
    { path: `${base}/pro`, name: "Pro track" },
    { path: `${base}/journal`, name: "Journal" },
    { path: `${base}/keys`, name: "API keys" },
  ];
}

function counted(count: number | null | undefined): Pick<Destination, "count"> {
  return count === undefined ? {} : { count };
}

/** The operator's console. */
export const CONSOLE_PAGES: readonly Destination[] = [
  { path: "/console", name: "Health" },
  { path: "/console/accounts", name: "Accounts" },
  { path: "/console/people", name: "People" },
  { path: "/console/payouts", name: "Payouts" },
  { path: "/console/programs", name: "Programs" },
  { path: "/console/instruments", name: "Instruments" },
  { path: "/console/audit", name: "Audit" },
];

/** What is there for everybody. */
export const GENERAL_PAGES: readonly Destination[] = [
  { path: "/debugger", name: "Signature debugger" },
  { path: "/docs/api", name: "API reference" },
];
