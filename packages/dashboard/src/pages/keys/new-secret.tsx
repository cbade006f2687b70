import { Tabs } from "@base-ui/react/tabs";
import type { CreatedKeyView, SessionView } from "@propgate/contract";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { CopyButton, Snippet } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { HOW_TO_RUN, SNIPPETS, type SnippetFacts, snippetText } from "./snippets.ts";

interface NewSecretProps {
  readonly created: CreatedKeyView;
  readonly session: SessionView;
  readonly onDone: () => void;
}

/** Shows the secret of a new key once, with programs that use it. */
export function NewSecret({ created: { key, secret }, session, onDone }: NewSecretProps) {
  const [isKept, setKept] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { baseUrl, brand } = session;
  return (
    <section
      aria-labelledby="new-secret"
      className="rounded-box border-2 border-accent bg-panel p-4"
      data-new-key={key.keyId}
    >
      <h2 id="new-secret" ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {key.label}: this secret is shown only once
      </h2>
      <p className="mt-1 text-muted">
        Copy it now, because it cannot be shown again. If you lose it, revoke the key and create a
        new one.
      </p>
      <dl className="mt-4 grid items-center gap-x-4 gap-y-2 md:grid-cols-[auto_1fr_auto]">
        <Part name="Key id" value={key.keyId} />
        <Part name="Secret" value={secret} onCopied={() => setKept(true)} />
      </dl>
      <SnippetTabs
        facts={{ keyId: key.keyId, secret, baseUrl, brand }}
        onSecretCopied={() => setKept(true)}
      />
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p aria-live="polite" className={isKept ? "text-ok" : "text-warn"}>
          {isKept ? "✓ The secret was copied." : "The secret has not been copied yet."}
        </p>
        <Button kind="primary" onClick={onDone}>
          I have stored the secret
        </Button>
      </div>
      <LeaveGuard isOn={!isKept} />
    </section>
  );
}

function Part({
  name,
  value,
  onCopied,
}: {
  readonly name: string;
  readonly value: string;
  readonly onCopied?: () => void;
}) {
  return (
    <>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="min-w-0">
        <code className="block rounded-box border border-line bg-ground px-3 py-1.5 font-mono text-xs wrap-anywhere">
          {value}
        </code>
      </dd>
      <dd className="justify-self-start">
        <CopyButton
          text={value}
          label={`Copy the ${name.toLowerCase()}`}
          {...(onCopied === undefined ? {} : { onCopied })}
        />
      </dd>
    </>
  );
}

interface SnippetTabsProps {
  readonly facts: SnippetFacts;
  readonly onSecretCopied: () => void;
}

function SnippetTabs({ facts, onSecretCopied }: SnippetTabsProps) {
  return (
    <Tabs.Root defaultValue="curl" className="mt-4">
      <Tabs.List
        aria-label="Sample programs"
        className="mb-3 flex flex-wrap gap-x-1 border-b border-line"
      >
        {SNIPPETS.map(({ id, name }) => (
          <Tabs.Tab
            key={id}
            value={id}
            className="border-b-2 border-transparent px-2 py-1.5 text-muted hover:text-text aria-selected:border-accent aria-selected:text-text"
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ id, name, fileName }) => (
        <Tabs.Panel key={id} value={id} className="outline-none">
          <p className="mb-2 text-xs text-muted">
            {id === "environment"
              ? "Contains the secret. Save it as "
              : "Does not contain the secret. Load the environment file, save this as "}
            <code className="font-mono">{fileName}</code>, then{" "}
            <code className="font-mono">{HOW_TO_RUN[id]}</code>
          </p>
          <Snippet
            label={name}
            text={snippetText(id, facts)}
            {...(id === "environment" ? { onCopied: onSecretCopied } : {})}
          />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

/** Asks the person to confirm before a navigation or the closing of the window loses the secret. */
function LeaveGuard({ isOn }: { readonly isOn: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: () => isOn,
    enableBeforeUnload: () => isOn,
    withResolver: true,
  });
  if (leaving.status !== "blocked") return null;
  return (
    <Dialog title="Leave without the secret?" open onClose={leaving.reset}>
      <p>
        The secret was not copied and cannot be shown again. Without it you must revoke the key and
        create a new one.
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button kind="primary" onClick={leaving.reset}>
          Stay
        </Button>
        <Button kind="danger" onClick={leaving.proceed}>
          Leave
        </Button>
      </div>
    </Dialog>
  );
}
