import type { AdapterContext, Fields } from 'serai/payment'

export const hosts = { sandbox: 'devapi.slick-pay.com', live: 'prodapi.slick-pay.com' } as const

export const credentials = {
  publicKey: { label: 'Public key', secret: true, help: 'From your SlickPay account. The sandbox and the live platform have one each.' },
  webhookSecret: {
    label: 'Secret of callbacks',
    secret: true,
    optional: true,
    help: 'A long random text. Without it callbacks are rejected, and payments are found by polling.',
  },
} as const satisfies Fields

export const settings = {
  mode: { label: 'Mode', options: ['sandbox', 'live'], default: 'sandbox', help: 'No money moves in the sandbox.' },
  accountType: { label: 'Kind of account', options: ['users', 'merchants'], default: 'users', help: 'As your account was opened.' },
  account: {
    label: 'Receiving account',
    optional: true,
    pattern: '[0-9A-Fa-f-]{36}',
    help: 'The uuid of the bank account that the money goes to. Left out, SlickPay takes the usual one of your account.',
  },
  address: {
    label: 'Address on invoices',
    default: 'Algérie',
    help: 'SlickPay refuses an invoice without one, and a payer is not asked for theirs.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
