import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { writeOperator } from "../../../api/operator.ts";
import { Button } from "../../../parts/button.tsx";
import { TextArea } from "../../../parts/field.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { ActionDialog } from "../action-dialog.tsx";
import { readDocument } from "../json-document.ts";

/** A form for a program version. The pasted document is validated first, and added exactly as it was validated. */
export function AddProgram() {
  const [text, setText] = useState("");
  const [isAdding, setAdding] = useState(false);
  const document = readDocument(text);
  const check = useMutation({
    mutationFn: (body: object) => writeOperator("programs.validate", { body }),
  });
  const change = (next: string): void => {
    setText(next);
    check.reset();
  };
  return (
    <Panel title="New program version">
      <div className="flex flex-col gap-4">
        <TextArea
          label="Program, JSON"
          rows={10}
          value={text}
          onChange={change}
          hint="Copy the JSON of the current version, change it, and raise its version by one. A new id with version 1 is a new program."
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
            Add version
          </Button>
        </div>
      </div>
      {isAdding && check.data !== undefined && document.value !== null && (
        <ActionDialog
          title={`Add ${check.data.id} v${check.data.version}?`}
          label="Add version"
          onClose={() => setAdding(false)}
          onDone={() => change("")}
          action={{ name: "programs.add", body: document.value }}
        >
          <p>
            Accounts opened from now on get these terms. Existing accounts keep theirs. A version
            can never be changed or removed, only followed by a newer one.
          </p>
        </ActionDialog>
      )}
    </Panel>
  );
}
