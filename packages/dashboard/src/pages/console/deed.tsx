import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { write } from "../../api/call.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import { CONSOLE_KEY } from "./queries.ts";

export interface Deed {
  /** Below `operator/`. */
  readonly path: string;
  readonly body?: object;
}

/** Does something as the operator; afterwards everything of the console is asked again. */
export function useDeed<Data>(onDone?: (data: Data) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ path, body = {} }: Deed) => write<Data>(`operator/${path}`, body),
    onSuccess: async (data) => {
      onDone?.(data);
      await queries.invalidateQueries({ queryKey: [CONSOLE_KEY] });
    },
  });
}

/** Why the service did not do it; read out when it appears. */
export function DeedFailure({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  return <Notice kind="danger">{error.message}</Notice>;
}

interface DeedDialogProps {
  readonly title: string;
  /** On the button that does it. */
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  /** After it is done, beside closing. */
  readonly onDone?: () => void;
  /** Null: something that is needed is missing. */
  readonly deed: Deed | null;
  /** What will happen, and what has to be said about it. */
  readonly children: ReactNode;
}

/** Says what will happen and asks once; closes when it is done. */
export function DeedDialog(props: DeedDialogProps) {
  const { title, label, isDangerous = false, onClose, onDone, deed, children } = props;
  const doing = useDeed(() => {
    onDone?.();
    onClose();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (deed !== null) doing.mutate(deed);
  };
  return (
    <Dialog title={title} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {children}
        <DeedFailure error={doing.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Do nothing</Button>
          <Button
            type="submit"
            kind={isDangerous ? "danger" : "primary"}
            disabled={deed === null || doing.isPending}
          >
            {doing.isPending ? "On its way" : label}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What was typed last, taken over when it is sent; and the field's own text until then. */
export function useTyped(initial: string) {
  const [typed, setTyped] = useState(initial);
  const [taken, setTaken] = useState(initial);
  return { typed, setTyped, taken, take: () => setTaken(typed.trim()), setTaken };
}
