import {
  MARKET_NAMES,
  type OperatorPrice,
  type OperatorPrices,
  OWN_ASSET_CLASSES,
  PRICE_STATES,
  type PriceState,
  priceText,
} from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { percentText, plainText, UNKNOWN } from "../../../format/numbers.ts";
import { timeText } from "../../../format/times.ts";
import { Button } from "../../../parts/button.tsx";
import { Choice, Field } from "../../../parts/field.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Badge, Empty } from "../../../parts/notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { pricesQuery } from "../queries.ts";
import { ChooseDialog, type PriceDecision } from "./choose-dialog.tsx";
import { PairDetails } from "./pair-details.tsx";
import {
  choiceText,
  hasProblem,
  reconnectCount,
  rejectedCount,
  STATE_KINDS,
  shortTimeText,
  speakingSource,
} from "./price-words.ts";
import { Sparkline } from "./sparkline.tsx";

const EVERY = "every";
const PROBLEMS = "problems";
type ShownClass = OperatorPrice["assetClass"] | typeof EVERY;
type ShownState = PriceState | typeof EVERY | typeof PROBLEMS;
/** Rows that are shown at first; a table of thousands is slow on a phone. */
const ROWS_MAX = 200;

interface PriceFilter {
  readonly part: string;
  readonly assetClass: ShownClass;
  readonly state: ShownState;
}

/** The source of every pair's prices, and the operator's choices about them. */
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
      <Panel title="Prices" flush aside={<Origin prices={prices.data} />}>
        <div className="border-b border-line p-4">
          <Filter filter={filter} onChange={setFilter} />
        </div>
        <Loaded query={prices} room="min-h-dvh">
          {(all) => <PriceTable prices={all} rows={all.items.filter(isShown(filter))} />}
        </Loaded>
      </Panel>
    </>
  );
}

function Origin({ prices }: { readonly prices: OperatorPrices | undefined }) {
  return <span className="text-xs text-muted wrap-anywhere">{prices?.description ?? ""}</span>;
}

function isShown({ part, assetClass, state }: PriceFilter) {
  const sought = part.trim().toLowerCase();
  return (price: OperatorPrice): boolean =>
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
  readonly price: OperatorPrice;
  readonly nowMs: number;
}

function PriceTable({
  prices,
  rows,
}: {
  readonly prices: OperatorPrices;
  readonly rows: readonly OperatorPrice[];
}) {
  const { nowMs } = prices;
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
          price.pair === opened ? (
            <PairDetails price={price} nowMs={nowMs} onDecide={setDecision} />
          ) : null
        }
        empty={<Empty title="No matching pair" />}
      />
      {shown.length < rows.length && (
        <div className="p-4 text-center">
          <Button onClick={() => setHasAll(true)}>Show all {rows.length} pairs</Button>
        </div>
      )}
      {decision !== null && <ChooseDialog decision={decision} onClose={() => setDecision(null)} />}
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
    cell: ({ price }) => shortTimeText(speakingSource(price)?.lagMs),
  },
  { head: "Rejected", right: true, cell: ({ price }) => plainText(rejectedCount(price)) },
  { head: "Reconnects", right: true, cell: ({ price }) => plainText(reconnectCount(price)) },
  { head: "Five minutes", cell: ({ price }) => <Sparkline prices={price.recent} /> },
  { head: "Choice", phone: "figure", cell: ({ price }) => <ChoiceCell price={price} /> },
];

/** Without the flash of other figures: every row changes with every answer. */
function Side({ row: { price }, side }: { readonly row: Row; readonly side: "bid" | "ask" }) {
  const { quote, tick } = price;
  if (quote === null) return UNKNOWN;
  return <span title={plainText(quote[side])}>{priceText(quote[side], { tick })}</span>;
}

function Age({ price: { quote, state }, nowMs }: Row) {
  if (quote === null) return UNKNOWN;
  return (
    <span className={state === "missing" ? "text-warn" : ""} title={timeText(quote.atMs)}>
      {shortTimeText(Math.max(0, nowMs - quote.atMs))}
    </span>
  );
}

function ChoiceCell({ price: { choice } }: { readonly price: OperatorPrice }) {
  if (choice === null || choice.kind === "auto") return <span className="text-muted">auto</span>;
  const why = `${choice.by}, ${timeText(choice.atMs)} UTC${choice.reason === null ? "" : `: ${choice.reason}`}`;
  return (
    <span title={why}>
      <Badge kind={choice.kind === "halt" ? "danger" : "notice"}>{choiceText(choice)}</Badge>
    </span>
  );
}
