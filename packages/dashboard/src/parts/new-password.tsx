import { PASSWORD_LENGTH_MIN } from "@propgate/contract";
import { useState } from "react";
import { passwordProblem } from "../format/password.ts";
import { Checkbox, Field } from "./field.tsx";

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for a new password. The person types it once, and a checkbox makes it visible. */
export function NewPassword({ label, value, onChange }: NewPasswordProps) {
  const [isShown, setShown] = useState(false);
  const missing = passwordProblem(value);
  const rule = `At least ${PASSWORD_LENGTH_MIN} characters of any kind. A few words make a good password.`;
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={label}
        type={isShown ? "text" : "password"}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
        hint={value === "" || missing === null ? rule : missing}
      />
      <Checkbox label="Show password" checked={isShown} onChange={setShown} />
    </div>
  );
}
