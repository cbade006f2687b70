import type { AnsweringCall, OperatorAnswer, OperatorBody } from "@propgate/contract";
import { randomNonce } from "@propgate/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { CallFailed } from "../../api/call.ts";
import { writeOperator } from "../../api/operator.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import { CONSOLE_KEY } from "./queries.ts";

/** A call of the operator's interface, with its body. */
export interface OperatorAction<Name extends AnsweringCall> {
  readonly name: Name;
  /** The id in the call's path; absent when the path has none. */
  readonly id?: string;
  readonly body: OperatorBody<Name>;
}

type AnyAction = { readonly [Name in AnsweringCall]: OperatorAction<Name> }[AnsweringCall];

/**
 * Makes a call of the operator's interface. Afterwards every query of the console is refreshed, also after a rejection,
 * because a rejection may mean that the page was out of date. When an answer was lost and the person tries the same
 * action again, the action is carried out once. @rule D12.repeatedWrites
 */
export function useAction<Name extends AnsweringCall>(
  onDone?: (data: OperatorAnswer<Name>) => void,
) {
  const queries = useQueryClient();
  const unanswered = useRef<{ readonly action: string; readonly repeatKey: string } | null>(null);
  return useMutation({
    mutationFn: (given: OperatorAction<Name>) => {
      const action = JSON.stringify(given);
      if (unanswered.current?.action !== action) {
        unanswered.current = { action, repeatKey: randomNonce() };
      }
      return writeOperator(given.name, { ...given, repeatKey: unanswered.current.repeatKey });
    },
    onSuccess: (data) => onDone?.(data),
    onSettled: (_data, error) => {
      if (isAnswered(error)) unanswered.current = null;
      return queries.invalidateQueries({ queryKey: [CONSOLE_KEY] });
    },
  });
}

/** False when it is unknown whether the call was carried out. */
function isAnswered(error: Error | null): boolean {
  if (!(error instanceof CallFailed)) return error === null;
  const isRejected = error.status >= 400 && error.status < 500;
  return isRejected && error.code !== "idempotency_in_progress";
}

/**
 * Why the call failed: the service rejected it, or did not answer. Empty without an error. Screen readers announce it.
 */
export function ActionFailure({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  return <Notice kind="danger">{error.message}</Notice>;
}

interface ActionDialogProps {
  readonly title: string;
  /** Text of the submit button. */
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  /** Called after success, in addition to `onClose`. */
  readonly onDone?: () => void;
  /** The call to make; null while a required value is missing. */
  readonly action: AnyAction | null;
  /** The description of the effect, and the fields of the action. */
  readonly children: ReactNode;
}

/** A dialog that describes an action and makes its call when the person confirms. It closes after success. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, label, isDangerous = false, onClose, onDone, action, children } = props;
  const doing = useAction<AnsweringCall>(() => {
    onDone?.();
    onClose();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (action !== null) doing.mutate(action);
  };
  return (
    <Dialog title={title} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {children}
        <ActionFailure error={doing.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind={isDangerous ? "danger" : "primary"}
            disabled={action === null || doing.isPending}
          >
            {doing.isPending ? "Sending…" : label}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The text of a search field, and the text of the search that was submitted last. */
export function useSearchText(initial: string) {
  const [typed, setTyped] = useState(initial);
  const [taken, setTaken] = useState(initial);
  return { typed, setTyped, taken, take: () => setTaken(typed.trim()), setTaken };
}
