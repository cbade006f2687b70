import { Link } from "@tanstack/react-router";
import { useAccountLive } from "../live/account-live.tsx";
import { Snippet } from "./copy.tsx";

const ORDERS = "POST /api/v1/trading/orders";

/** For each pair in the examples, its id at a validator. */
const VALIDATOR_PAIRS: Readonly<Record<string, string>> = { BTCUSD: "BTCUSDC", ETHUSD: "ETHUSDC" };

interface ExampleTrade extends Readonly<Record<string, unknown>> {
  readonly trade_pair: string;
}

/** A complete example of an order request, with a link to the commands that sign it. */
export function OrderExample({
  label,
  trade,
}: {
  readonly label: string;
  readonly trade: ExampleTrade;
}) {
  const { accountId, state } = useAccountLive();
  const { trade_pair: pair } = trade;
  const named = state?.network === "vanta" ? (VALIDATOR_PAIRS[pair] ?? pair) : pair;
  const body = JSON.stringify({ trade: { ...trade, trade_pair: named } });
  return (
    <>
      <Snippet label={label} text={`${ORDERS}\n\n${body}`} />
      <p className="mt-3">
        Every request is signed. Create a key on the page{" "}
        <Link to="/a/$accountId/keys" params={{ accountId }} className="text-accent underline">
          API keys
        </Link>
        : it shows commands for curl, Python and TypeScript. The{" "}
        <a href="/docs/guides/sign-a-request" className="text-accent underline">
          documentation
        </a>{" "}
        explains the signature.
      </p>
    </>
  );
}

/** Shown in place of an example when the account has ended. */
export function NoMoreOrders() {
  return <p>This account has ended. New orders are rejected.</p>;
}
