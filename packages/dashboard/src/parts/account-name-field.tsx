/** A hidden field that shows password managers whose password the form needs. */
export function AccountNameField({ name }: { readonly name: string }) {
  return (
    <input
      type="text"
      autoComplete="username"
      value={name}
      readOnly
      hidden
      aria-label="Name"
      tabIndex={-1}
    />
  );
}
