import {
  MARKET_NAMES,
  OWN_ASSET_CLASSES,
  PRICE_STATES,
  type PriceLine,
  type PriceState,
  priceText,
} from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNow } from "../../../clock.tsx";
import { percentText, plainText, UNKNOWN } from "../../../format/numbers.ts";
import { timeText } from "../../../format/times.ts";
import { Button } from "../../../parts/button.tsx";
import { Choice, Field } from "../../../parts/field.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../../parts/notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { pricesQuery } from "../queries.ts";
import { PairDetails } from "./pair-details.tsx";
import { type PriceDecision, PriceDecisionDialog } from "./price-decision-dialog.tsx";
import { choiceText, hasProblem, STATE_KINDS, shortTimeText } from "./price-words.ts";

const EVERY = "every";
const PROBLEMS = "problems";
type ShownClass = PriceLine["assetClass"] | typeof EVERY;
type ShownState = PriceState | typeof EVERY | typeof PROBLEMS;
/** The maximum number of rows that are shown at first. A table of thousands of rows is slow on a phone. */
const ROWS_MAX = 200;

interface PriceFilter {
  readonly part: string;
  readonly assetClass: ShownClass;
  readonly state: ShownState;
}

/** The price and the source of every pair, and the operator's choices about them. */
export function PricesPage() {
  const prices = useQuery(pricesQuery);
  const [filter, setFilter] = useState<PriceFilter>({
    part: "",
    assetClass: EVERY,
    state: EVERY,
  });
  return (
    <>
      <h1 className="sr-only">Prices</h1>
      <Panel title="Prices" flush>
        <div className="border-b border-line p-4">
          <Filter filter={filter} onChange={setFilter} />
        </div>
        <Loaded query={prices} heightClass="min-h-dvh">
          {(all) => <PriceTable rows={all.filter(isShown(filter))} />}
        </Loaded>
      </Panel>
    </>
  );
}

function isShown({ part, assetClass, state }: PriceFilter) {
  const sought = part.trim().toLowerCase();
  return (price: PriceLine): boolean =>
    (assetClass === EVERY || price.assetClass === assetClass) &&
    (state === EVERY || (state === PROBLEMS ? hasProblem(price) : price.state === state)) &&
    `${price.pair} ${price.display} ${price.source ?? ""}`.toLowerCase().includes(sought);
}

function Filter({
  filter,
  onChange,
}: {
  readonly filter: PriceFilter;
  readonly onChange: (filter: PriceFilter) => void;
}) {
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-4 sm:grid-cols-3">
      <Field
        label="Pair or source"
        type="search"
        value={filter.part}
        onChange={(event) => onChange({ ...filter, part: event.target.value })}
      />
      <Choice
        label="Class"
        value={filter.assetClass}
        onChange={(assetClass) => onChange({ ...filter, assetClass })}
        options={[
          { value: EVERY, text: "All classes" },
          ...OWN_ASSET_CLASSES.filter((one) => one !== "all_markets").map((value) => ({
            value,
            text: MARKET_NAMES[value],
          })),
        ]}
      />
      <Choice
        label="State"
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state })}
        options={[
          { value: EVERY, text: "All states" },
          { value: PROBLEMS, text: "Problems" },
          ...PRICE_STATES.map((value) => ({ value, text: value })),
        ]}
      />
    </div>
  );
}

interface Row {
  readonly price: PriceLine;
  readonly nowMs: number;
}

function PriceTable({ rows }: { readonly rows: readonly PriceLine[] }) {
  const nowMs = useNow();
  const [opened, setOpened] = useState<string | null>(null);
  const [hasAll, setHasAll] = useState(false);
  const [decision, setDecision] = useState<PriceDecision | null>(null);
  const shown = hasAll ? rows : rows.slice(0, ROWS_MAX);
  const columns: readonly Column<Row>[] = [
    ...COLUMNS,
    {
      head: "Details",
      right: true,
      phone: "title",
      cell: ({ price: { pair } }) => (
        <Button
          aria-expanded={opened === pair}
          onClick={() => setOpened(opened === pair ? null : pair)}
        >
          Sources<span className="sr-only"> of {pair}</span>
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table
        label="Prices by pair"
        columns={columns}
        rows={shown.map((price) => ({ price, nowMs }))}
        keyOf={({ price }) => price.pair}
        detail={({ price }) =>
          price.pair === opened ? <PairDetails pair={price.pair} onDecide={setDecision} /> : null
        }
        empty={<EmptyList title="No matching pair" />}
      />
      {shown.length < rows.length && (
        <div className="p-4 text-center">
          <Button onClick={() => setHasAll(true)}>Show all {rows.length} pairs</Button>
        </div>
      )}
      {decision !== null && (
        <PriceDecisionDialog decision={decision} onClose={() => setDecision(null)} />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    head: "Pair",
    phone: "title",
    cell: ({ price: { display, pair } }) => (
      <span className="font-medium whitespace-nowrap" title={pair}>
        {display}
      </span>
    ),
  },
  {
    head: "State",
    phone: "figure",
    cell: ({ price: { state, problem } }) => (
      <span title={problem ?? ""}>
        <Badge kind={STATE_KINDS[state]}>{state}</Badge>
      </span>
    ),
  },
  { head: "Source", phone: "figure", cell: ({ price }) => price.source ?? UNKNOWN },
  { head: "Bid", right: true, phone: "figure", cell: (row) => <Side row={row} side="bid" /> },
  { head: "Ask", right: true, phone: "figure", cell: (row) => <Side row={row} side="ask" /> },
  {
    head: "Spread",
    right: true,
    cell: ({ price }) => percentText(price.spreadPercent, 3),
  },
  { head: "Age", right: true, phone: "figure", cell: (row) => <Age {...row} /> },
  {
    head: "Lag",
    right: true,
    cell: ({ price }) => shortTimeText(price.lagMs),
  },
  { head: "Rejected", right: true, cell: ({ price }) => plainText(price.rejected) },
  { head: "Reconnects", right: true, cell: ({ price }) => plainText(price.reconnects) },
  { head: "Choice", phone: "figure", cell: ({ price }) => <ChoiceCell price={price} /> },
];

/** The bid or the ask. Its changes are not highlighted, because nearly every row changes with every answer. */
function Side({ row: { price }, side }: { readonly row: Row; readonly side: "bid" | "ask" }) {
  const { [side]: value, tick } = price;
  if (value === null) return UNKNOWN;
  return <span title={plainText(value)}>{priceText(value, { tick })}</span>;
}

function Age({ price: { quoteAtMs, state }, nowMs }: Row) {
  if (quoteAtMs === null) return UNKNOWN;
  return (
    <span className={state === "missing" ? "text-warn" : ""} title={timeText(quoteAtMs)}>
      {shortTimeText(Math.max(0, nowMs - quoteAtMs))}
    </span>
  );
}

function ChoiceCell({ price }: { readonly price: PriceLine }) {
  const { choiceKind: kind, choiceSource: source, choiceReason: reason } = price;
  if (kind === "auto") return <span className="text-muted">auto</span>;
  const why = `${price.choiceBy ?? UNKNOWN}, ${timeText(price.choiceAtMs)} UTC${reason === null ? "" : `: ${reason}`}`;
  return (
    <span title={why}>
      <Badge kind={kind === "halt" ? "danger" : "notice"}>{choiceText({ kind, source })}</Badge>
    </span>
  );
}
