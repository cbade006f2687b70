import type { ServiceHealth } from "@propgate/contract";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { ActionFailure, useAction } from "./action-dialog.tsx";

/** Shows that data were restored and may only be read, with the button that confirms the restore. */
export function RestoredNotice({
  restored,
}: {
  readonly restored: NonNullable<ServiceHealth["restored"]>;
}) {
  const confirm = useAction<"restore.confirm">();
  return (
    <Notice kind="danger">
      <p className="font-semibold">
        The data were restored as of {timeText(restored.asOfMs)} UTC and may only be read
      </p>
      <p className="mt-1">
        Payments, orders and renewals of switches since then are missing. Compare the unpaid payouts
        with your payments first. When you confirm, the service trades on and overdue switches fire.
      </p>
      <ActionFailure error={confirm.error} />
      <div className="mt-2">
        <Button
          disabled={confirm.isPending}
          onClick={() => confirm.mutate({ name: "restore.confirm", body: {} })}
        >
          Confirm the restore
        </Button>
      </div>
    </Notice>
  );
}
