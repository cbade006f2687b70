import type { FlattenRequest, FlattenResult, Linked, PositionItem } from "@propgate/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CallFailed, postData } from "../../api/call.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";

interface FlattenProps {
  readonly accountId: string;
  readonly positions: readonly PositionItem<Linked>[];
}

/** How many characters of the account's id the person types to confirm. */
const TYPED_LENGTH = 4;

/** A button that closes all positions at the market, after a confirmation that needs more than a click. */
export function FlattenButton({ accountId, positions }: FlattenProps) {
  const [open, setOpen] = useState(false);
  const queries = useQueryClient();
  const flatten = useMutation({
    mutationFn: () => {
      const request: FlattenRequest = { confirm: accountId };
      return postData<FlattenResult>(`accounts/${accountId}/flatten`, request);
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ["account", accountId] }),
  });
  const show = (): void => {
    flatten.reset();
    setOpen(true);
  };
  return (
    <>
      <Button kind="danger" onClick={show} disabled={positions.length === 0}>
        Close all positions
      </Button>
      <Dialog title="Close all positions now" open={open} onClose={() => setOpen(false)}>
        {flatten.data === undefined ? (
          <Question
            accountId={accountId}
            positions={positions}
            isRunning={flatten.isPending}
            problem={flatten.error === null ? null : problemText(flatten.error)}
            onConfirm={() => flatten.mutate()}
            onCancel={() => setOpen(false)}
          />
        ) : (
          <Result result={flatten.data} onClose={() => setOpen(false)} />
        )}
      </Dialog>
    </>
  );
}

/**
 * The text for a failed call. After a 403 the identity was not confirmed and no position was touched, so the person
 * need not check the positions.
 */
function problemText(failure: Error): string {
  const isTried = !(failure instanceof CallFailed && failure.status === 403);
  const advice = "Check the positions before you try again: some may already be closed.";
  return isTried ? `${failure.message} ${advice}` : failure.message;
}

interface QuestionProps extends FlattenProps {
  readonly isRunning: boolean;
  readonly problem: string | null;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

function Question({
  accountId,
  positions,
  isRunning,
  problem,
  onConfirm,
  onCancel,
}: QuestionProps) {
  const [typed, setTyped] = useState("");
  const expected = accountId.slice(-TYPED_LENGTH);
  const isConfirmed = typed.trim().toLowerCase() === expected.toLowerCase();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed && !isRunning) onConfirm();
  };
  const pairs = positions.map(({ tradePair }) => tradePair).join(", ");
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <ul className="list-disc space-y-1 pl-5">
        <li>
          {positions.length === 1
            ? "The open position is"
            : `All ${positions.length} positions are`}{" "}
          closed at the market: {pairs}.
        </li>
        <li>Their stops and targets are cancelled. Pending entry orders stay.</li>
        <li>Positions that cannot be traded now stay open, such as those in a closed market.</li>
        <li>This cannot be undone.</li>
      </ul>
      <Field
        label={`Type the last ${TYPED_LENGTH} characters of the account id: ${expected}`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={TYPED_LENGTH + 2}
        hint={accountId}
      />
      {problem !== null && <Notice kind="danger">{problem}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind="danger" disabled={!isConfirmed || isRunning}>
          {isRunning ? "Closing\u2026" : "Close all positions"}
        </Button>
      </div>
    </form>
  );
}

function Result({
  result,
  onClose,
}: {
  readonly result: FlattenResult;
  readonly onClose: () => void;
}) {
  const { closed, stayed, message } = result;
  return (
    <div className="flex flex-col gap-3">
      <Notice kind={stayed.length === 0 ? "ok" : "warn"}>{message}</Notice>
      <p>
        <strong className="font-semibold">Closed:</strong>{" "}
        {closed.length === 0 ? "nothing" : closed.join(", ")}
      </p>
      {stayed.length > 0 && (
        <div>
          <strong className="font-semibold">Still open:</strong>
          <ul className="mt-1 list-disc space-y-1 pl-5">
            {stayed.map(({ pair, why }) => (
              <li key={pair}>
                {pair}: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
