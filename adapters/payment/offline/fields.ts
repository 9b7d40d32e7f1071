import type { AdapterContext, Fields } from 'serai/payment'

export const LABEL = 'Bank transfer or cash'

export const credentials = {} as const satisfies Fields

export const settings = {
  account: {
    label: 'Account',
    optional: true,
    help: 'Where the money goes: RIB, CCP with its key, IBAN. Shown to every payer.',
  },
  holder: { label: 'Holder of the account', optional: true },
  bank: { label: 'Bank or post office', optional: true },
  place: { label: 'Where cash is taken', optional: true, help: 'An address and its hours.' },
  note: { label: 'What else a payer has to know', optional: true },
  days: {
    label: 'Days in which it has to be paid',
    options: ['1', '2', '3', '5', '7', '14', '30'],
    default: '7',
    help: 'A receipt that came in time is looked at later as well.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
