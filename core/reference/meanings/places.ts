import type { Meanings } from './group.ts'

/** Meanings at one place, where the same values mean something else elsewhere: by schema or operation, and property. */
export const byPlace: Readonly<Record<string, Meanings>> = {
  PasskeyOutcome: {
    done: 'The browser finished and the server accepted the passkey.',
    failed: 'The user or the browser broke off, so nothing changed. Offer another way to sign in.',
  },
  'Erasure.state': {
    running: 'Personal data is being removed in the background, also after a restart.',
    done: 'Nothing that was stored names the person any more.',
  },
  'PaymentDecision.status': {
    paid: 'You saw that the money arrived; the payment counts from now on.',
    failed: 'You saw that no money arrived; the customer may pay again.',
  },
  'RefundOutcome.status': {
    done: 'You saw at the gateway that the money went back to the customer.',
    failed: 'You saw at the gateway that no money moved; the payment counts in full again.',
  },
}
