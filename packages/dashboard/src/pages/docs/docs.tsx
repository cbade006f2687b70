export function DocsPage() {
  return null;
}
