export function JournalPage() {
  return null;
}
