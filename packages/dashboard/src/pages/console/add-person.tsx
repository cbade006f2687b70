import type { AddPersonRequest, OperatorPerson, PersonLinkView, Role } from "@propgate/contract";
import { type FormEvent, useState } from "react";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { ActionFailure, useAction } from "./action-dialog.tsx";

/** Adds a person, then offers to create the link with which the person sets a password. */
export function AddPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("owner");
  const [ownerId, setOwnerId] = useState("");
  const adding = useAction<"people.add">();
  if (adding.data !== undefined) return <LinkDialog person={adding.data} onClose={onClose} />;
  const owner = ownerId.trim();
  const body: AddPersonRequest = {
    name: name.trim(),
    role,
    ...(role === "owner" && owner !== "" ? { ownerId: owner } : {}),
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    adding.mutate({ name: "people.add", body });
  };
  return (
    <Dialog title="Add a person" open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          required
          autoComplete="off"
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="The person signs in with this name."
        />
        <Choice
          label="Role"
          value={role}
          onChange={setRole}
          options={[
            { value: "owner", text: "Owner: sees only their own accounts" },
            { value: "operator", text: "Operator: sees every account and this console" },
          ]}
        />
        {role === "owner" && (
          <Field
            label="Owner id"
            value={ownerId}
            autoComplete="off"
            onChange={(event) => setOwnerId(event.target.value)}
            hint="The person sees the accounts of this owner id. Leave empty to create a new one."
          />
        )}
        <ActionFailure error={adding.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={body.name === "" || adding.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Offers to create a one-time link for a person, and shows the created link only once. */
export function LinkDialog({
  person,
  onClose,
}: {
  readonly person: OperatorPerson;
  readonly onClose: () => void;
}) {
  const making = useAction<"people.link">();
  return (
    <Dialog title={`One-time link for ${person.name}`} open onClose={onClose}>
      <div className="flex flex-col gap-4">
        {making.data === undefined ? (
          <p>
            {person.name} can set a password with this link, once, within a day. Earlier links stop
            working now. The current password works until the new link is used. Using the link ends
            every session. It also removes the passkeys, unless the person keeps them.
          </p>
        ) : (
          <LinkOnce link={making.data} />
        )}
        <ActionFailure error={making.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{making.data === undefined ? "Not now" : "Done"}</Button>
          {making.data === undefined && (
            <Button
              kind="primary"
              disabled={making.isPending}
              onClick={() => making.mutate({ name: "people.link", id: person.personId, body: {} })}
            >
              Create link
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function LinkOnce({ link }: { readonly link: PersonLinkView }) {
  const { expiresAtMs } = link;
  const url = withPageOrigin(link.url);
  return (
    <>
      <Notice kind="warn">
        This link is shown only once. Anyone who has it can set the password, so send it privately.
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

/** The link with the address of this page, because the service may not know its public address. */
function withPageOrigin(url: string): string {
  const { pathname, hash } = new URL(url);
  return `${location.origin}${pathname}${hash}`;
}
