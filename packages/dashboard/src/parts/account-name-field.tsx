/** A hidden field with the person's name, from which password managers know which password the form needs. */
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
