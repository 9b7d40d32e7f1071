import { checkout, openDesk, type Rig, type SeenCall, type SeenCheckout } from '../../../../plugins/payment/acceptance.ts'
import type { PaymentAdapter } from '../../../../plugins/payment/index.ts'
import type { Checkout } from '../../../../plugins/payment/model.ts'
import type { Call } from '../../../support/simulator/simulator.ts'
import { misbehaving, spelled } from '../simulated.ts'
import { type Guiddini, type Kept, startGuiddini } from './simulator.ts'

const spellings: Readonly<Record<string, Partial<Guiddini['state']>>> = {
  'amounts as numbers': { amountAs: 'number' },
  'amounts with decimals': { amountAs: 'decimals' },
  'successful for paid': { paidAs: 'successful' },
  'its words in capitals': { paidAs: 'PAID' },
}

function seenIn({ orderNumber, asked, amount, status }: Kept): SeenCheckout {
  const isPaid = status === 'paid'
  return {
    externalId: orderNumber,
    paymentId: null,
    reference: null,
    description: null,
    amount: Number(asked.amount),
    unit: 'major',
    currency: 'DZD',
    language: String(asked.language),
    returnUrl: null,
    cancelUrl: null,
    webhookUrl: null,
    status: isPaid ? 'paid' : 'open',
    paid: isPaid ? amount : null,
    fee: null,
  }
}

const callIn = ({ at, method, path, query, headers, body }: Call): SeenCall => ({
  at,
  method,
  path,
  query: String(query),
  headers: Object.fromEntries(headers),
  body,
})

export type GuiddiniRig = Rig & { readonly simulator: Guiddini }

export function rig(gateway: PaymentAdapter, simulator = startGuiddini()): GuiddiniRig {
  const { credentials } = simulator
  const origins = Object.fromEntries(gateway.net.map((host) => [host, simulator.url]))
  const settings = {}
  // No name of ours arrives there: what was initiated since a payment was first asked for, and before the next one was, is of that payment.
  const asked: { readonly paymentId: string; readonly from: number }[] = []
  const noted = (change?: Partial<Checkout>): Checkout => {
    const one = checkout(change)
    asked.push({ paymentId: one.paymentId, from: simulator.payments().length })
    return one
  }
  const seen = (paymentId: string): Kept[] => {
    const at = asked.findIndex((one) => one.paymentId === paymentId)
    return at < 0 ? [] : simulator.payments().slice(asked[at]?.from, asked[at + 1]?.from)
  }
  return {
    simulator,
    credentials,
    settings,
    badCredentials: { appSecret: 'SEC-another-9876543210' },
    open: (options) => openDesk(gateway, origins, { credentials, settings, ...options }),
    checkout: noted,
    refusable: () => ({ checkout: noted({ amount: 2_000_000 }), words: 'The amount field must not be greater than' }),
    calls: {
      testConnection: '^GET /api/payment/show$',
      createCheckout: '^POST /api/payment/initiate$',
      read: '^GET /api/payment/show$',
    },
    ...misbehaving(simulator, simulator.state),
    spellings: spelled(simulator.state, spellings),
    lacks: {
      takenBack: 'no answer says so',
      unknownStatus: 'which words it has besides paid is not published: all others wait',
      paymentId: 'it takes an amount and a language, and nothing else',
      reference: 'it takes an amount and a language, and nothing else',
      description: 'it takes an amount and a language, and nothing else',
      returnUrl: 'one address stands in the application, for all payments',
      cancelUrl: 'one address stands in the application, for all payments',
      webhookUrl: 'it calls nobody',
      fee: 'no answer has it',
      otherAmount: 'a payment is paid as it was initiated',
      processing: 'which words it has besides paid is not published',
      authorized: 'which words it has besides paid is not published',
      failed: 'which words it has besides paid is not published',
      cancelled: 'which words it has besides paid is not published',
      expired: 'which words it has besides paid is not published',
    },
    // No quota is published; others keep to this one.
    limits: { windows: [{ calls: 60, seconds: 60 }] },
    seen: async (paymentId) => ({ checkouts: seen(paymentId).map(seenIn), refunds: [], calls: simulator.requests.map(callIn) }),
    become: async (_, externalId, status) => void (status === 'paid' && simulator.move(externalId)),
    close: () => simulator.stop(),
  }
}

const open: GuiddiniRig[] = []
export const stopAll = () => Promise.all(open.map((one) => one.close?.()))

/** A connection to a simulator of its own. */
export function connected(gateway: PaymentAdapter): GuiddiniRig {
  const one = rig(gateway)
  open.push(one)
  return one
}
