/** Tells password managers whose password the form asks for; people do not see it. */
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
