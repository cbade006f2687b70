export function TradesPage() {
  return null;
}
