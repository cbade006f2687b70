import { type CreateKeyRequest, SCOPES, type Scope } from "@propgate/contract";
import { type FormEvent, useState } from "react";
import { useServiceClock } from "../../clock.tsx";
import { dayText, timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, Choice, Field, TextArea } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import {
  EMPTY_FORM,
  expiryOf,
  hasNoProblems,
  KEY_LIFETIMES,
  type KeyForm,
  type KeyFormProblems,
  keyFormProblems,
  keyRequest,
  LABEL_LENGTH_MAX,
  SCOPE_WORDS,
} from "./key-request.ts";

interface KeyFormFieldsProps {
  readonly isBusy: boolean;
  /** The message of the service's rejection; null when there was none. */
  readonly problem: string | null;
  readonly onSubmit: (request: CreateKeyRequest) => void;
}

/** The form of a new key. Problems are shown after the first attempt to create it. */
export function KeyFormFields({ isBusy, problem, onSubmit }: KeyFormFieldsProps) {
  const clock = useServiceClock();
  const [form, setForm] = useState(EMPTY_FORM);
  const [isTried, setTried] = useState(false);
  const problems = keyFormProblems(form, clock.now());
  const shown = isTried ? problems : NO_PROBLEMS;
  const change = (part: Partial<KeyForm>): void => setForm({ ...form, ...part });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (hasNoProblems(problems)) onSubmit(keyRequest(form, clock.now()));
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2 xl:grid-cols-4">
        <Field
          label="Name"
          placeholder="Trend bot, notebook"
          maxLength={LABEL_LENGTH_MAX}
          value={form.label}
          onChange={(event) => change({ label: event.target.value })}
          hint="The program that uses the key."
          problem={shown.label}
        />
        <Scopes form={form} problem={shown.scopes} onChange={(scopes) => change({ scopes })} />
        <Lifetime form={form} problem={shown.day} onChange={change} nowMs={clock.now()} />
        <TextArea
          label="Allowed addresses (optional)"
          rows={2}
          value={form.addresses}
          onChange={(addresses) => change({ addresses })}
          hint="One address or CIDR block per line, such as 203.0.113.7 or 2001:db8::/32. Leave empty to allow any address."
          problem={shown.addresses}
        />
      </div>
      {problem !== null && <Notice kind="danger">{problem}</Notice>}
      <div>
        <Button kind="primary" type="submit" disabled={isBusy}>
          Create key
        </Button>
      </div>
    </form>
  );
}

const NO_PROBLEMS: KeyFormProblems = { label: null, scopes: null, day: null, addresses: null };

function Scopes({
  form,
  problem,
  onChange,
}: {
  readonly form: KeyForm;
  readonly problem: string | null;
  readonly onChange: (scopes: readonly Scope[]) => void;
}) {
  const toggle = (scope: Scope, isChosen: boolean): void => {
    const others = form.scopes.filter((one) => one !== scope);
    onChange(isChosen ? [...others, scope] : others);
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-xs font-medium text-muted">Permissions</legend>
      {SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          label={scope}
          hint={SCOPE_WORDS[scope]}
          checked={form.scopes.includes(scope)}
          onChange={(isChosen) => toggle(scope, isChosen)}
        />
      ))}
      {problem !== null && (
        <p role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function Lifetime({
  form,
  problem,
  onChange,
  nowMs,
}: {
  readonly form: KeyForm;
  readonly problem: string | null;
  readonly onChange: (part: Partial<KeyForm>) => void;
  readonly nowMs: number;
}) {
  const endMs = expiryOf(form, nowMs);
  return (
    <div className="flex flex-col gap-2">
      <Choice
        label="Expiry"
        value={form.life}
        options={KEY_LIFETIMES}
        onChange={(life) => onChange({ life })}
      />
      {form.life === "date" ? (
        <Field
          label="Last day, UTC"
          type="date"
          min={dayText(nowMs)}
          value={form.day}
          onChange={(event) => onChange({ day: event.target.value })}
          problem={problem}
          {...(endMs === null ? {} : { hint: expiryText(endMs) })}
        />
      ) : (
        <p className="figure text-xs text-muted">{expiryText(endMs)}</p>
      )}
    </div>
  );
}

function expiryText(endMs: number | null): string {
  return endMs === null ? "The key never expires." : `Expires ${timeText(endMs)} UTC.`;
}
