import type { StandInAccount } from "./stand-in-account.ts";
import { type LinkedTrader, sendSigned } from "./trader.ts";

/**
 * The accounts whose events are wrong: the events must contain each fill of the validator once, and their numbers must
 * be consecutive.
 */
export async function accountsWithWrongEvents(
  traders: readonly LinkedTrader[],
  accounts: ReadonlyMap<string, StandInAccount>,
  port: number,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const trader of traders) {
    const events = await readEvents(port, trader);
    const hasGap = events.some(({ sequence }, index) => sequence !== index + 1);
    const shown = events.flatMap(({ type, data }) =>
      type === "order.filled" ? [data.orderUuid] : [],
    );
    const fills = [...(accounts.get(trader.subaccount)?.fills.keys() ?? [])];
    if (!hasGap && shown.toSorted().join() === fills.toSorted().join()) continue;
    wrong.push(`${trader.subaccount}: ${shown.length} of ${fills.length} fills have an event`);
  }
  return wrong;
}

interface ReadEvent {
  readonly sequence: number;
  readonly type: string;
  readonly data: { readonly orderUuid: string };
}

const PAGE = 500;

async function readEvents(port: number, { signer }: LinkedTrader): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  for (let after = "0"; ; ) {
    const target = `/api/v1/trading/events?limit=${PAGE}&after=${after}`;
    const reply = await sendSigned(port, signer, {
      target,
      nonce: `events-${crypto.randomUUID()}`,
    });
    // When the events cannot be read, those that were read are compared, so a missing fill is found.
    if (reply?.status !== 200) return events;
    const { data } = reply.json() as {
      readonly data: {
        readonly items: readonly ReadEvent[];
        readonly next: string;
        readonly head: { readonly sequence: number };
      };
    };
    events.push(...data.items);
    after = data.next;
    if (data.items.length === 0 || events.at(-1)?.sequence === data.head.sequence) return events;
  }
}
