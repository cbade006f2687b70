const CONFIRMATION_EVENT = "propgate:confirm";

/** Ends a request for a confirmation. It is called once, with true when the person gave a valid password or passkey. */
type SettleConfirmation = (isConfirmed: boolean) => void;

/**
 * Shows the dialog for a password or passkey, when a call needs one from the last five minutes. Resolves with false
 * when none was given, or when no dialog is on the page.
 */
export function askForConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    const detail: SettleConfirmation = resolve;
    const request = new CustomEvent(CONFIRMATION_EVENT, {
      bubbles: true,
      cancelable: true,
      detail,
    });
    if (document.dispatchEvent(request)) resolve(false);
  });
}

/**
 * Calls `onRequest` with each request for a confirmation that reaches this target. Returns a function that removes the
 * listener. An event reaches `document` before `window`: an open dialog listens on `document`, the page itself on
 * `window`. Only the first listener handles a request; later ones ignore it.
 */
export function hostConfirmation(
  target: Document | Window,
  onRequest: (settle: SettleConfirmation) => void,
) {
  const listener = (event: Event): void => {
    if (!(event instanceof CustomEvent) || event.defaultPrevented) return;
    event.preventDefault();
    const settle: SettleConfirmation = event.detail;
    onRequest(settle);
  };
  target.addEventListener(CONFIRMATION_EVENT, listener);
  return () => target.removeEventListener(CONFIRMATION_EVENT, listener);
}
