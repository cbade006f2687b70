import type { NetworkHealth, UpstreamHealthView } from "@propgate/contract";
import { plainText } from "../../format/numbers.ts";
import { agoText, durationText, timeText } from "../../format/times.ts";
import { Facts } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";

interface NetworkPanelProps {
  readonly network: NetworkHealth;
  readonly nowMs: number;
}

/** The validator of linked accounts: its hosts, the age of readings, and orders without an outcome. */
export function NetworkPanel({ network, nowMs }: NetworkPanelProps) {
  const { linkedAccounts, failingAccounts, oldestReadingAgeMs } = network;
  const { ordersSending, oldestSendingSinceMs } = network;
  return (
    <Panel title="Validator">
      <div className="grid gap-x-10 gap-y-4 md:grid-cols-2">
        <Facts
          rows={[
            ["Readings", <Host key="validator" host={network.validator} />],
            ["Unreachable since, UTC", timeText(network.validator.unreachableSinceMs)],
            ["Linked accounts", plainText(linkedAccounts)],
            [
              "Failing readings",
              <span key="failing" className={failingAccounts > 0 ? "text-danger" : ""}>
                {plainText(failingAccounts)}
              </span>,
            ],
            ["Oldest reading", durationText(oldestReadingAgeMs)],
          ]}
        />
        <Facts
          rows={[
            ["Orders", <Host key="gateway" host={network.gateway} />],
            ["Unreachable since, UTC", timeText(network.gateway.unreachableSinceMs)],
            ["Key refused since, UTC", timeText(network.keyRefusedSinceMs)],
            ["Without an outcome", plainText(ordersSending)],
            ["Oldest of them", agoText(oldestSendingSinceMs, nowMs)],
          ]}
        />
      </div>
    </Panel>
  );
}

function Host({ host }: { readonly host: UpstreamHealthView }) {
  const calls = `${plainText(host.callsInFlight)} in flight`;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      <span className="text-muted">{calls}</span>
      {host.isPaused && <Badge kind="warn">paused</Badge>}
      <Badge kind={host.reachable ? "ok" : "danger"}>
        {host.reachable ? "reachable" : "unreachable"}
      </Badge>
    </span>
  );
}
