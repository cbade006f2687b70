import type { FormEvent } from "react";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import type { useSearchText } from "./action-dialog.tsx";

/** A field whose text is searched for when the person submits it. */
export function SearchField({
  label,
  text,
}: {
  readonly label: string;
  readonly text: Pick<ReturnType<typeof useSearchText>, "typed" | "setTyped" | "take">;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    text.take();
  };
  return (
    <form role="search" onSubmit={submit} className="flex items-end gap-2 border-b border-line p-4">
      <Field
        label={label}
        type="search"
        value={text.typed}
        onChange={(event) => text.setTyped(event.target.value)}
        className="w-full max-w-md"
      />
      <Button type="submit" className="min-h-9">
        Search
      </Button>
    </form>
  );
}
