import type { AttachedLegItem } from "@propgate/contract";
import type { ReceiptLeg } from "@propgate/ledger";
import { sentSizeFields, trailingFields } from "./size-fields.ts";

/** A leg of an order in the API's form. @rule D10.legIds */
export function attachedLegView(leg: ReceiptLeg): AttachedLegItem {
  return {
    orderUuid: leg.orderUuid,
    stopLoss: leg.stopLoss,
    takeProfit: leg.takeProfit,
    ...sentSizeFields(leg.size),
    ...trailingFields(leg.trailing),
  };
}
