export function ProPage() {
  return null;
}
