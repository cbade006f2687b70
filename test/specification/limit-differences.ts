import { ENDPOINT_NAMES, type EndpointName } from "@propgate/contract";
import type { DocumentRow } from "./document.ts";
import type { MeasuredLimits } from "./measured-limits.ts";
import { type EndpointReply, READ_ENDPOINTS } from "./service-under-test.ts";

const APPLIES_TO = {
  "all GET endpoints": READ_ENDPOINTS,
  "GET endpoints": READ_ENDPOINTS,
  "POST orders": ["placeOrder"],
  "POST orders (429 handled on any endpoint)": ["placeOrder"],
  "all requests": ENDPOINT_NAMES,
  "GET payouts": ["getPayouts"],
} as const satisfies Readonly<Record<string, readonly EndpointName[]>>;

interface LimitRow {
  readonly name: string;
  /** The endpoints to which the limit applies, in the words of the document. */
  readonly applies: keyof typeof APPLIES_TO;
  /** The form of the limit's value in the document. Each group is a number or a name that was measured. */
  readonly form: RegExp;
  readonly measured: (limits: MeasuredLimits) => readonly unknown[];
  /** The endpoints at which the measurement found the limit. */
  readonly measuredAt: (limits: MeasuredLimits) => readonly EndpointName[];
}

const MS_PER_MINUTE = 60_000;
const endpointsOf = (replies: readonly EndpointReply[]): readonly EndpointName[] =>
  replies.filter(({ status }) => status === 429).map(({ endpoint }) => endpoint);
const header = (reply: EndpointReply | undefined, name: string): string =>
  String(reply?.headers[name.toLowerCase()]);
/** The name of a header when all these replies have it, otherwise `missing`. */
const carriedHeader = (replies: readonly EndpointReply[], name: string): string =>
  replies.every(({ headers }) => headers[name.toLowerCase()] !== undefined) ? name : "missing";

const ROWS: readonly LimitRow[] = [
  {
    name: "Read rate",
    applies: "all GET endpoints",
    form: /^(\d+) requests per minute per key, fixed \(not sliding\) window; refills at the start of each window$/,
    measured: ({ readsPerMinute, isRefilled }) =>
      isRefilled ? [readsPerMinute] : ["not refilled"],
    measuredAt: ({ refusedReads }) => endpointsOf(refusedReads),
  },
  {
    name: "Read-limit headers on 429",
    applies: "GET endpoints",
    form: /^([\w-]+) \(seconds until reset\), ([\w-]+), ([\w-]+), ([\w-]+) \(Unix seconds\); the (three) X-RateLimit headers appear only on a 429 for the read budget$/,
    measured: ({ refusedReads, minuteMs, replyInCooldown }) => {
      const [first] = refusedReads;
      const resetMs = minuteMs + MS_PER_MINUTE;
      const isRight =
        header(first, "Retry-After") === "45" &&
        header(first, "X-RateLimit-Limit") === "120" &&
        header(first, "X-RateLimit-Remaining") === "0" &&
        header(first, "X-RateLimit-Reset") === String(resetMs / 1_000);
      const others = Object.keys(replyInCooldown.headers).filter((name) =>
        name.startsWith("x-ratelimit-"),
      );
      if (!isRight || others.length > 0) return ["not these values"];
      const names = [
        "Retry-After",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
      ];
      return [...names.map((name) => carriedHeader(refusedReads, name)), "three"];
    },
    measuredAt: ({ refusedReads }) => endpointsOf(refusedReads),
  },
  {
    name: "Order placement volume",
    applies: "POST orders",
    form: /^not rate-limited on volume and does not consume the read budget$/,
    // More orders were placed than a minute allows reads, and afterwards all reads of that minute were still possible.
    measured: ({ afterManyOrders, readsPerMinute }) =>
      afterManyOrders.every((status) => status === 200) && afterManyOrders.length > readsPerMinute
        ? []
        : ["refused"],
    measuredAt: () => ["placeOrder"],
  },
  {
    name: "Failure guard",
    applies: "POST orders (429 handled on any endpoint)",
    form: /^(\d+) rejected requests within (\d+) minutes gives 429 with (Retry-After) and a (\d+)-minute cooldown for order placement; a single successful request resets the count$/,
    measured: ({
      rejectionsToCooldown,
      guardWindowMinutes,
      replyInCooldown,
      isResetBySuccess,
      readsInCooldown,
    }) =>
      isResetBySuccess && readsInCooldown.every(({ status }) => status === 200)
        ? [
            rejectionsToCooldown,
            guardWindowMinutes,
            carriedHeader([replyInCooldown], "Retry-After"),
            Number(header(replyInCooldown, "Retry-After")) / 60,
          ]
        : ["not reset"],
    measuredAt: ({ replyInCooldown }) => endpointsOf([replyInCooldown]),
  },
  {
    name: "Timestamp skew",
    applies: "all requests",
    form: /^(\d+) minutes either direction$/,
    measured: ({ skewMinutes }) => [skewMinutes],
    measuredAt: () => ENDPOINT_NAMES,
  },
  {
    name: "Payouts page size",
    applies: "GET payouts",
    form: /^(\d+) to (\d+), default (\d+)$/,
    measured: ({ payoutsPage: { min, max, usual } }) => [min, max, usual],
    measuredAt: () => ["getPayouts"],
  },
  {
    name: "Nonce lifetime",
    applies: "all requests",
    form: /^single use for the life of the key$/,
    measured: () => [],
    measuredAt: ({ noncesRefusedLater }) => noncesRefusedLater,
  },
];

/** The differences between the table of section 8 and the limits that were measured at the service. */
export function limitDifferences(
  rows: readonly DocumentRow[],
  limits: MeasuredLimits,
): readonly string[] {
  const names = rows.map(({ cells }) => cells[0]).join("; ");
  if (names !== ROWS.map(({ name }) => name).join("; ")) return [`limits: ${names}`];
  return ROWS.flatMap(({ name, applies, form, measured, measuredAt }, index) => {
    const [, value = "", appliesTo = ""] = rows[index]?.cells ?? [];
    const found = form.exec(value)?.slice(1);
    const problems: string[] = [];
    if (found?.join() !== measured(limits).map(String).join())
      problems.push(measured(limits).join());
    if (appliesTo !== applies || APPLIES_TO[applies].join() !== measuredAt(limits).join()) {
      problems.push(measuredAt(limits).join());
    }
    return problems.map((problem) => `line ${rows[index]?.line}: ${name} was met as ${problem}`);
  });
}
