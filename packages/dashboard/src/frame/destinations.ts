/** A page to which the navigation and the command palette link. */
export interface Destination {
  readonly path: string;
  readonly name: string;
  /** The number of items on the page, shown beside its name; null while it is unknown. */
  readonly count?: number | null;
  /** True for a document outside these pages, which the browser loads itself. */
  readonly isDocument?: boolean;
}

/** The numbers of items that the navigation shows; null while they are unknown. */
interface Counts {
  readonly positions: number | null;
  readonly orders: number | null;
}

/** The pages of one account, in the order of the navigation. */
export function accountPages(accountId: string, counts?: Counts): readonly Destination[] {
  const base = `/a/${accountId}`;
  return [
    { path: base, name: "Overview" },
    { path: `${base}/positions`, name: "Positions", ...countField(counts?.positions) },
    { path: `${base}/orders`, name: "Orders", ...countField(counts?.orders) },
    { path: `${base}/trades`, name: "Trades" },
    { path: `${base}/payouts`, name: "Payouts" },
    { path: `${base}/pro`, name: "Pro track" },
    { path: `${base}/journal`, name: "Journal" },
    { path: `${base}/keys`, name: "API keys" },
  ];
}

function countField(count: number | null | undefined): Pick<Destination, "count"> {
  return count === undefined ? {} : { count };
}

/** The pages of the operator's console, in the order of the navigation. */
export const CONSOLE_PAGES: readonly Destination[] = [
  { path: "/console", name: "Health" },
  { path: "/console/accounts", name: "Accounts" },
  { path: "/console/people", name: "People" },
  { path: "/console/payouts", name: "Payouts" },
  { path: "/console/programs", name: "Programs" },
  { path: "/console/instruments", name: "Instruments" },
  { path: "/console/prices", name: "Prices" },
  { path: "/console/audit", name: "Audit" },
];

/** The path of the service's documentation. */
export const DOCS_PATH = "/docs";

/** The pages that need no account. */
export const GENERAL_PAGES: readonly Destination[] = [
  { path: "/debugger", name: "Signature debugger" },
  { path: "/docs/api", name: "API reference" },
  { path: DOCS_PATH, name: "Documentation", isDocument: true },
];
