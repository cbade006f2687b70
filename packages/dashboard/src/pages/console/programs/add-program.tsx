import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../../../api/call.ts";
import { Button } from "../../../parts/button.tsx";
import { Area } from "../../../parts/field.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { DeedDialog } from "../deed.tsx";
import { readDocument } from "../json-document.ts";

interface CheckedProgram {
  readonly id: string;
  readonly version: number;
  readonly variant: string;
}

/** A pasted version: checked first, and added only as it was checked. */
export function AddProgram() {
  const [text, setText] = useState("");
  const [isAdding, setAdding] = useState(false);
  const document = readDocument(text);
  const check = useMutation({
    mutationFn: (body: object) => write<CheckedProgram>("operator/programs/validate", body),
  });
  const change = (next: string): void => {
    setText(next);
    check.reset();
  };
  return (
    <Panel title="A new version, or a new program">
      <div className="flex flex-col gap-4">
        <Area
          label="One program, JSON"
          rows={10}
          value={text}
          onChange={change}
          hint="Take the JSON of the version that is sold, change it, and raise its version by one. Another id with version 1 is another program."
        />
        {document.problem !== null && <Notice kind="danger">{document.problem}</Notice>}
        {check.error !== null && <Notice kind="danger">{check.error.message}</Notice>}
        {check.data !== undefined && (
          <Notice kind="ok">
            {check.data.id} v{check.data.version} ({check.data.variant}) can be added.
          </Notice>
        )}
        <div className="flex gap-2">
          <Button
            disabled={document.value === null || check.isPending}
            onClick={() => document.value !== null && check.mutate(document.value)}
          >
            Validate
          </Button>
          <Button
            kind="primary"
            disabled={check.data === undefined}
            onClick={() => setAdding(true)}
          >
            Add it
          </Button>
        </div>
      </div>
      {isAdding && check.data !== undefined && document.value !== null && (
        <DeedDialog
          title={`Add ${check.data.id} v${check.data.version}?`}
          label="Add it"
          onClose={() => setAdding(false)}
          onDone={() => change("")}
          deed={{ path: "programs", body: document.value }}
        >
          <p>
            Every account that is opened from now on gets these terms; accounts that are open keep
            theirs. A version can never be changed or taken back, only followed by another.
          </p>
        </DeedDialog>
      )}
    </Panel>
  );
}
