import { Link } from "@tanstack/react-router";
import { useAccountLive } from "../live/account-live.tsx";
import { Snippet } from "./copy.tsx";

const ORDERS = "POST /api/v1/trading/orders";

/** A complete example request, with a link to the commands that sign it. */
export function OrderExample({
  label,
  trade,
}: {
  readonly label: string;
  readonly trade: Readonly<Record<string, unknown>>;
}) {
  const { accountId } = useAccountLive();
  return (
    <>
      <Snippet label={label} text={`${ORDERS}\n\n${JSON.stringify({ trade })}`} />
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

/** Shown instead of an example on an ended account. */
export function NoMoreOrders() {
  return <p>This account has ended. New orders are rejected with 403.</p>;
}
