import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { writeOperator } from "../../api/operator.ts";
import { Button } from "../../parts/button.tsx";
import { TextArea } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { readDocument } from "./json-document.ts";

/** Checks a pasted catalogue as the service does when it starts. The check changes nothing. */
export function CheckCatalogue() {
  const [text, setText] = useState("");
  const document = readDocument(text);
  const check = useMutation({
    mutationFn: (body: object) => writeOperator("catalogue.validate", { body }),
  });
  return (
    <Panel title="Validate a catalogue">
      <div className="flex flex-col gap-4">
        <TextArea
          label="Catalogue, JSON"
          rows={8}
          value={text}
          onChange={(next) => {
            setText(next);
            check.reset();
          }}
          hint="This checks the catalogue as a start would, and changes nothing. A catalogue takes effect at the next start, from the file in PROPGATE_CATALOGUE."
        />
        {document.problem !== null && <Notice kind="danger">{document.problem}</Notice>}
        {check.error !== null && <Notice kind="danger">{check.error.message}</Notice>}
        {check.data !== undefined && (
          <Notice kind="ok">This catalogue is valid: {check.data.instruments} instruments.</Notice>
        )}
        <div>
          <Button
            disabled={document.value === null || check.isPending}
            onClick={() => document.value !== null && check.mutate(document.value)}
          >
            Validate
          </Button>
        </div>
      </div>
    </Panel>
  );
}
