import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { write } from "../../api/call.ts";
import { Button } from "../../parts/button.tsx";
import { Area } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { readDocument } from "./json-document.ts";

/** Reads a pasted catalogue as a start would; nothing changes. */
export function CheckCatalogue() {
  const [text, setText] = useState("");
  const document = readDocument(text);
  const check = useMutation({
    mutationFn: (body: object) =>
      write<{ readonly instruments: number }>("operator/catalogue/validate", body),
  });
  return (
    <Panel title="Validate a catalogue">
      <div className="flex flex-col gap-4">
        <Area
          label="Catalogue, JSON"
          rows={8}
          value={text}
          onChange={(next) => {
            setText(next);
            check.reset();
          }}
          hint="It is read as a start would read it, and nothing changes. A catalogue takes effect at the next start, from the file that PROPGATE_CATALOGUE names."
        />
        {document.problem !== null && <Notice kind="danger">{document.problem}</Notice>}
        {check.error !== null && <Notice kind="danger">{check.error.message}</Notice>}
        {check.data !== undefined && (
          <Notice kind="ok">
            The service would start with it: {check.data.instruments} instruments.
          </Notice>
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
