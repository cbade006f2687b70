import { type InputHTMLAttributes, type ReactNode, useId } from "react";

const INPUT =
  "min-h-9 w-full rounded-box border border-line bg-ground px-3 py-1.5 text-text disabled:opacity-50";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  /** The hint below the field. */
  readonly hint?: ReactNode;
  /** The problem of the value, which screen readers announce; null when there is none. */
  readonly problem?: string | null;
}

/** A labelled input, with its hint or its problem below. */
export function Field({ label, hint, problem, className = "", ...rest }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasProblem = problem !== undefined && problem !== null;
  const hasNote = hasProblem || hint !== undefined;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-xs font-medium text-muted">
        {label}
      </label>
      <input
        id={id}
        className={INPUT}
        aria-invalid={hasProblem}
        {...(hasNote ? { "aria-describedby": noteId } : {})}
        {...rest}
      />
      <Note id={noteId} hint={hint} problem={problem} />
    </div>
  );
}

interface AreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly hint?: ReactNode;
  /** The problem of the value, which screen readers announce; null when there is none. */
  readonly problem?: string | null;
  readonly placeholder?: string;
}

/** A labelled text field of several lines, for instance for a pasted request. */
export function TextArea({
  label,
  value,
  onChange,
  rows = 4,
  hint,
  problem,
  placeholder,
}: AreaProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasProblem = problem !== undefined && problem !== null;
  const hasNote = hasProblem || hint !== undefined;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-muted">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        spellCheck={false}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={hasProblem}
        {...(hasNote ? { "aria-describedby": noteId } : {})}
        className={`${INPUT} font-mono text-xs`}
      />
      <Note id={noteId} hint={hint} problem={problem} />
    </div>
  );
}

/** The text below a field: its problem, or its hint when it has none. */
function Note({
  id,
  hint,
  problem,
}: {
  readonly id: string;
  readonly hint: ReactNode;
  readonly problem: string | null | undefined;
}) {
  if (problem !== undefined && problem !== null) {
    return (
      <p id={id} role="alert" className="text-xs text-danger">
        {problem}
      </p>
    );
  }
  if (hint === undefined) return null;
  return (
    <p id={id} className="text-xs text-muted">
      {hint}
    </p>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one value from a few, as the browser's own list, which every device supports. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        className={INPUT}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A choice of one value from a few, which are side by side. */
export function Switcher<Value extends string>({
  label,
  value,
  options,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <fieldset className="flex items-center gap-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="rounded-box px-2 py-1 text-xs text-muted hover:text-text aria-pressed:bg-raised aria-pressed:font-semibold aria-pressed:text-text"
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  );
}

/** A labelled checkbox, with a hint below the label when there is one. */
export function Checkbox({
  label,
  checked,
  onChange,
  hint,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly hint?: string;
}) {
  return (
    <label className="flex items-start gap-2">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 accent-(--accent-ground)"
      />
      <span>
        {label}
        {hint !== undefined && <span className="block text-xs text-muted">{hint}</span>}
      </span>
    </label>
  );
}
