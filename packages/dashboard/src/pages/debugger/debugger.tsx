export function DebuggerPage() {
  return null;
}
