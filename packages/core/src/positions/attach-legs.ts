import type { OrderUuid } from "../ids.ts";
import { markOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import { legUuid } from "../pending/bracket-leg.ts";
import type { Draft } from "../state/draft.ts";
import type { BracketLeg, LegRequest } from "../state/order.ts";
import type { Position } from "../state/position.ts";

/** Legs to attach to a position, and the quote from which trailing stops start. */
export interface Attachment {
  /** The order that attaches the legs. Their uuids are derived from its uuid. */
  readonly parent: OrderUuid;
  readonly legs: readonly LegRequest[];
  readonly position: Position;
  readonly quote: Quote;
}

/** Attaches the legs to the position, in the order of the request, numbered from 0. @rule D5.legs decides */
export function attachLegs(draft: Draft, { parent, legs, position, quote }: Attachment): void {
  if (legs.length === 0) return;
  const attached = legs.map(
    (leg, index): BracketLeg => ({
      ...leg,
      kind: "bracket",
      uuid: legUuid(parent, index),
      pair: position.pair,
      direction: position.direction,
      placedAtMs: draft.moment.now,
      positionUuid: position.uuid,
      bestPrice: leg.trailing === null ? null : markOf(position.direction, quote),
      ...(leg.trailing === null ? {} : { bestAtMs: draft.moment.now }),
      shareOf: position.quantity,
    }),
  );
  draft.record({ type: "legsAttached", legs: attached });
}
