import { type OperatorPrice, priceText, type SourcePrice } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { plainText, UNKNOWN } from "../../../format/numbers.ts";
import { timeText } from "../../../format/times.ts";
import { Button } from "../../../parts/button.tsx";
import { Facts } from "../../../parts/figure.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Badge } from "../../../parts/notice.tsx";
import { priceQuery } from "../queries.ts";
import type { PriceDecision } from "./price-decision-dialog.tsx";
import { choiceText, rejectedText, shortTimeText } from "./price-words.ts";
import { Sparkline } from "./sparkline.tsx";

interface PairDetailsProps {
  readonly price: OperatorPrice;
  readonly onDecide: (decision: PriceDecision) => void;
}

/** The sources of a pair by priority, the operator's choice, and the ways to change it. */
export function PairDetails({
  pair,
  onDecide,
}: Pick<PairDetailsProps, "onDecide"> & { readonly pair: string }) {
  const price = useQuery(priceQuery(pair));
  return (
    <Loaded query={price} heightClass="min-h-40">
      {(known) => <KnownDetails price={known} onDecide={onDecide} />}
    </Loaded>
  );
}

function KnownDetails({ price, onDecide }: PairDetailsProps) {
  const { problem, choice, sources } = price;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-xs text-muted wrap-anywhere">{price.description}</p>
      <Sparkline prices={price.recent} />
      {problem !== null && <p className="max-w-prose text-warn">{problem}</p>}
      <div className="grid gap-x-10 gap-y-4 md:grid-cols-2 xl:grid-cols-3">
        {sources.map((source) => (
          <SourceFacts key={source.name} {...{ source, price, onDecide }} />
        ))}
        <div>
          <h3 className="mb-2 font-medium">Choice</h3>
          <Facts
            rows={[
              ["Now", choiceText(choice)],
              ["Chosen by", choice?.by ?? UNKNOWN],
              ["At, UTC", timeText(choice?.atMs)],
              ["Reason", choice?.reason ?? UNKNOWN],
              ["Changes of source", plainText(price.changes)],
              ["Stale after", shortTimeText(price.staleAfterMs)],
              ["Trading", price.isRetired ? "retired" : price.isBlocked ? "blocked" : "open"],
              ["Accounts that hold it", plainText(price.holders)],
            ]}
          />
          <div className="mt-3 flex flex-wrap gap-2">
            {choice !== null && choice.kind !== "auto" && (
              <Button onClick={() => onDecide({ kind: "auto", of: price })}>
                Auto<span className="sr-only"> for {price.display}</span>
              </Button>
            )}
            {choice?.kind !== "halt" && (
              <Button kind="danger" onClick={() => onDecide({ kind: "halt", of: price })}>
                Halt<span className="sr-only"> {price.display}</span>
              </Button>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

function SourceFacts({
  source,
  price,
  onDecide,
}: PairDetailsProps & { readonly source: SourcePrice }) {
  const { quote } = source;
  const isChosen = price.choice?.kind === "use" && price.choice.source === source.name;
  return (
    <div>
      <h3 className="mb-2 flex flex-wrap items-center gap-2 font-medium">
        {source.name}
        {source.isSpeaking && <Badge kind="ok">in use</Badge>}
        {source.connection !== "up" && <Badge kind="danger">{source.connection}</Badge>}
        {source.connection === "up" && !source.isHealthy && <Badge kind="warn">no quote</Badge>}
      </h3>
      <Facts
        rows={[
          ["Bid", sideText(quote?.bid, price)],
          ["Ask", sideText(quote?.ask, price)],
          [
            "Age",
            quote === null ? UNKNOWN : shortTimeText(Math.max(0, price.nowMs - ageFrom(quote))),
          ],
          ["Lag", shortTimeText(source.lagMs)],
          ["Healthy for", shortTimeText(source.healthyForMs)],
          ["Accepted", plainText(source.accepted)],
          ["Rejected", rejectedText(source)],
          ["Reconnects", plainText(source.reconnects)],
          ...(source.problem === null ? [] : ([["Problem", source.problem]] as const)),
        ]}
      />
      {!(isChosen && source.isSpeaking) && (
        <div className="mt-3">
          <Button onClick={() => onDecide({ kind: "use", of: price, source: source.name })}>
            Use {source.name}
            <span className="sr-only"> for {price.display}</span>
          </Button>
        </div>
      )}
    </div>
  );
}

function ageFrom({ madeAtMs, receivedAtMs }: NonNullable<SourcePrice["quote"]>): number {
  return Math.min(madeAtMs ?? receivedAtMs, receivedAtMs);
}

function sideText(side: number | undefined, { tick }: OperatorPrice): string {
  return side === undefined ? UNKNOWN : priceText(side, { tick });
}
