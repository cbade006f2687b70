import { MARKET_NAMES, type OperatorInstrument, OWN_ASSET_CLASSES } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNow } from "../../clock.tsx";
import { moneyText, percentText, plainText } from "../../format/numbers.ts";
import { agoText, timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { Facts, Figure } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Price } from "../../parts/price.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { CheckCatalogue } from "./check-catalogue.tsx";
import { CorporateActions } from "./corporate-actions.tsx";
import { instrumentsQuery } from "./queries.ts";

const EVERY = "every";
type Which = OperatorInstrument["assetClass"] | typeof EVERY;

/**
 * The announced corporate actions, the catalogue with the terms, the market hours and the price of every pair, and the
 * check of a pasted catalogue.
 */
export function InstrumentsPage() {
  const instruments = useQuery(instrumentsQuery);
  const [which, setWhich] = useState<Which>(EVERY);
  const [part, setPart] = useState("");
  const sought = part.trim().toLowerCase();
  const isShown = ({ assetClass, pair, display }: OperatorInstrument): boolean =>
    (which === EVERY || assetClass === which) &&
    `${pair} ${display}`.toLowerCase().includes(sought);
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">Instruments</h1>
      <CorporateActions />
      <Panel title="Catalogue" flush>
        <div className="border-b border-line p-4">
          <div className="grid max-w-2xl grid-cols-2 gap-4">
            <Field
              label="Pair"
              type="search"
              value={part}
              onChange={(event) => setPart(event.target.value)}
            />
            <Choice
              label="Class"
              value={which}
              onChange={setWhich}
              options={[
                { value: EVERY, text: "All classes" },
                ...OWN_ASSET_CLASSES.filter((one) => one !== "all_markets").map((value) => ({
                  value,
                  text: MARKET_NAMES[value],
                })),
              ]}
            />
          </div>
        </div>
        <Loaded query={instruments} heightClass="min-h-dvh">
          {(items) => <InstrumentTable rows={items.filter(isShown)} />}
        </Loaded>
      </Panel>
      <CheckCatalogue />
    </div>
  );
}

function InstrumentTable({ rows }: { readonly rows: readonly OperatorInstrument[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const columns: readonly Column<OperatorInstrument>[] = [
    ...COLUMNS,
    {
      head: "Details",
      right: true,
      phone: "title",
      cell: ({ pair }) => (
        <Button
          aria-expanded={opened === pair}
          onClick={() => setOpened(opened === pair ? null : pair)}
        >
          Terms<span className="sr-only"> of {pair}</span>
        </Button>
      ),
    },
  ];
  return (
    <Table
      label="Instruments"
      columns={columns}
      rows={rows}
      keyOf={({ pair }) => pair}
      detail={(one) => (one.pair === opened ? <Terms instrument={one} /> : null)}
      empty={<EmptyList title="No matching pair" />}
    />
  );
}

const COLUMNS: readonly Column<OperatorInstrument>[] = [
  {
    head: "Pair",
    phone: "title",
    cell: ({ display, pair }) => (
      <span className="font-medium whitespace-nowrap" title={pair}>
        {display}
      </span>
    ),
  },
  { head: "Class", cell: ({ assetClass }) => MARKET_NAMES[assetClass] },
  { head: "Market", phone: "figure", cell: (one) => <MarketState instrument={one} /> },
  {
    head: "Bid",
    right: true,
    phone: "figure",
    cell: ({ bid, pair }) => <Price pair={pair} value={bid} field="bid" />,
  },
  {
    head: "Ask",
    right: true,
    cell: ({ ask, pair }) => <Price pair={pair} value={ask} field="ask" />,
  },
  { head: "Quote", right: true, phone: "figure", cell: (one) => <QuoteAge instrument={one} /> },
  {
    head: "Lot",
    right: true,
    cell: ({ lotSize, base }) => (
      <Figure value={lotSize} as={plainText} field="lotSize" unit={base} />
    ),
  },
  {
    head: "Grid, lots",
    right: true,
    cell: ({ gridStep }) => <Figure value={gridStep} as={plainText} field="gridStep" />,
  },
  {
    head: "Tick",
    right: true,
    cell: ({ tick }) => <Figure value={tick} as={plainText} field="tick" />,
  },
  {
    head: "Fee",
    right: true,
    cell: ({ feePercent }) => (
      <Figure value={feePercent} as={(value) => percentText(value, 3)} field="feeRatio" />
    ),
  },
];

function MarketState({ instrument }: { readonly instrument: OperatorInstrument }) {
  const { isBlocked, isRetired, isOpen, changesAtMs, session } = instrument;
  if (isRetired) return <Badge kind="danger">retired</Badge>;
  if (isBlocked) return <Badge kind="danger">blocked</Badge>;
  const change = changesAtMs === null ? "" : `${timeText(changesAtMs)} UTC`;
  const until = isOpen ? `closes ${change || "never"}` : `opens ${change || "never again"}`;
  return (
    <span title={`${session}, ${until}`}>
      <Badge kind={isOpen ? "ok" : "notice"}>{isOpen ? "open" : "closed"}</Badge>
    </span>
  );
}

function QuoteAge({ instrument }: { readonly instrument: OperatorInstrument }) {
  const now = useNow();
  const { quoteAtMs, isStale, isOpen } = instrument;
  if (quoteAtMs === null) return <Badge kind="warn">none yet</Badge>;
  return (
    <span className={isStale && isOpen ? "text-warn" : ""} title={timeText(quoteAtMs)}>
      {isStale && isOpen ? "stale, " : ""}
      {agoText(quoteAtMs, now)}
    </span>
  );
}

const CARRY = {
  none: "none",
  everyEightHours: "every 8 hours",
  daily: "a day",
  everyHour: "an hour",
} as const;

function carryText({ carryKind, carryPercent }: OperatorInstrument): string {
  if (carryKind === "none") return "none";
  return carryPercent === null
    ? "from the source, an hour"
    : `${percentText(carryPercent, 4)} ${CARRY[carryKind]}`;
}

function Terms({ instrument }: { readonly instrument: OperatorInstrument }) {
  const { leastPositionUsd, leastPositionLots, exposureGroups } = instrument;
  return (
    <div className="grid gap-x-10 gap-y-3 md:grid-cols-2 lg:grid-cols-3">
      <Facts
        rows={[
          ["Session", instrument.session],
          [instrument.isOpen ? "Closes" : "Opens", timeText(instrument.changesAtMs)],
          ["Stale after", `${plainText(instrument.staleAfterMs / 1000)} s`],
          ["Blocked", instrument.isBlocked ? "yes" : "no"],
        ]}
      />
      <Facts
        rows={[
          [
            "Minimum position",
            leastPositionUsd === null
              ? `${plainText(leastPositionLots)} lots`
              : `${moneyText(leastPositionUsd)} USD`,
          ],
          ["Grid, small accounts", plainText(instrument.gridStepSmallAccount)],
          ["Spread", percentText(instrument.spreadPercent, 4)],
          ["Carry", carryText(instrument)],
        ]}
      />
      <Facts
        rows={[
          ["Cap, tier 1", plainText(instrument.leverageCapTier1)],
          ["Cap, tier 2", plainText(instrument.leverageCapTier2)],
          ["Cap, tier 3", plainText(instrument.leverageCapTier3)],
          ["Cap, pro", plainText(instrument.leverageCapPro)],
          ["Exposure groups", exposureGroups.join(", ") || "none"],
        ]}
      />
    </div>
  );
}
