import type { AdapterContext, Fields } from 'serai/payment'

/** Decimals of each accepted currency, by ISO 4217. */
export const digits: Readonly<Record<string, number>> = {
  DZD: 2,
  MAD: 2,
  TND: 3,
  EGP: 2,
  SAR: 2,
  AED: 2,
  QAR: 2,
  KWD: 3,
  BHD: 3,
  OMR: 3,
  JOD: 3,
  LYD: 3,
  TRY: 2,
  XOF: 0,
  EUR: 2,
  USD: 2,
  GBP: 2,
  CAD: 2,
  CHF: 2,
  JPY: 0,
}

export const credentials = {} as const satisfies Fields

export const settings = {
  outcome: {
    label: 'What becomes of a payment',
    options: ['ask', 'paid', 'failed'],
    default: 'ask',
    help: 'Asked on its page, or decided at once.',
  },
  feePercent: { label: 'Fee in percent', type: 'number', default: 0, help: 'What it keeps of a payment, 0 to 100.' },
  holds: {
    label: 'Hold first, take later',
    type: 'boolean',
    default: false,
    help: 'Paying only holds the money; it is taken when it is captured.',
  },
  payoutMinutes: {
    label: 'Minutes between payouts',
    type: 'number',
    default: 1440,
    help: 'Payments within this period form one payout, listed after another such period. 0: no payouts.',
  },
} as const satisfies Fields

export type Sandbox = AdapterContext<typeof credentials, typeof settings>
