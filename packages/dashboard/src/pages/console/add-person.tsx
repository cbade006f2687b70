import type { AddPersonRequest, ConsolePerson, PersonLinkView, Role } from "@propgate/contract";
import { type FormEvent, useState } from "react";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { DeedFailure, useDeed } from "./deed.tsx";

/** Adds somebody, and then makes the link by which that person sets a password. */
export function AddPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("owner");
  const [ownerId, setOwnerId] = useState("");
  const adding = useDeed<ConsolePerson>();
  if (adding.data !== undefined) return <LinkDialog person={adding.data} onClose={onClose} />;
  const owner = ownerId.trim();
  const body: AddPersonRequest = {
    ...{ name: name.trim(), role },
    ...(role === "owner" && owner !== "" ? { ownerId: owner } : {}),
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    adding.mutate({ path: "people", body });
  };
  return (
    <Dialog title="Add somebody" open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          required
          autoComplete="off"
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="What the person types to sign in."
        />
        <Choice
          label="Role"
          value={role}
          onChange={setRole}
          options={[
            { value: "owner", text: "Owner: sees the own accounts" },
            { value: "operator", text: "Operator: sees every account and this console" },
          ]}
        />
        {role === "owner" && (
          <Field
            label="Owner's id"
            value={ownerId}
            autoComplete="off"
            onChange={(event) => setOwnerId(event.target.value)}
            hint="Whose accounts they are. Empty: a new id, whose accounts are yet to be opened."
          />
        )}
        <DeedFailure error={adding.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Do nothing</Button>
          <Button type="submit" kind="primary" disabled={body.name === "" || adding.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Makes a one-time link and shows it, this once. */
export function LinkDialog({
  person,
  onClose,
}: {
  readonly person: ConsolePerson;
  readonly onClose: () => void;
}) {
  const making = useDeed<PersonLinkView>();
  return (
    <Dialog title={`One-time link for ${person.name}`} open onClose={onClose}>
      <div className="flex flex-col gap-4">
        {making.data === undefined ? (
          <p>
            By the link {person.name} sets a password, once, within a day. A link that was made
            before stops working now; a password that is there works until the new link is used.
          </p>
        ) : (
          <LinkOnce link={making.data} />
        )}
        <DeedFailure error={making.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{making.data === undefined ? "Not now" : "Done"}</Button>
          {making.data === undefined && (
            <Button
              kind="primary"
              disabled={making.isPending}
              onClick={() => making.mutate({ path: `people/${person.personId}/link` })}
            >
              Make the link
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function LinkOnce({ link }: { readonly link: PersonLinkView }) {
  const { expiresAtMs } = link;
  const url = whereThePagesAre(link.url);
  return (
    <>
      <Notice kind="warn">
        It is shown this once. Whoever has it can set the password: send it by a way that only its
        person reads.
      </Notice>
      <output className="rounded-box border border-line bg-ground p-3 font-mono text-xs wrap-anywhere">
        {url}
      </output>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-xs text-muted">Works until {timeText(expiresAtMs)} UTC</span>
        <CopyButton text={url} label="Copy link" />
      </div>
    </>
  );
}

/** The service may not know by which address browsers find it; this one has. */
function whereThePagesAre(url: string): string {
  const { pathname, hash } = new URL(url);
  return `${location.origin}${pathname}${hash}`;
}
