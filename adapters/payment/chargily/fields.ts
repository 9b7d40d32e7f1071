import type { AdapterContext, Fields } from 'serai/payment'

export const HOST = 'pay.chargily.net'

export const credentials = {
  secretKey: {
    label: 'Secret key',
    secret: true,
    help: 'From the developers’ corner of Chargily’s dashboard: test_sk_… for the test mode, live_sk_… for the live one.',
  },
} as const satisfies Fields

export const settings = {
  mode: {
    label: 'Mode',
    options: ['test', 'live'],
    default: 'test',
    help: 'No money moves in the test mode. Each has a key of its own.',
  },
  paymentMethod: {
    label: 'Means of payment that is shown first',
    options: ['edahabia', 'cib', 'chargily_app'],
    optional: true,
    help: 'The payer may choose another. Left out, Chargily decides.',
  },
  feesAllocation: {
    label: 'Who bears Chargily’s fees',
    options: ['customer', 'merchant', 'split'],
    optional: true,
    help: 'Left out, it is as your account has it.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
