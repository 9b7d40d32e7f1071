import type { CheckoutStatus, PaymentAdapter, PayoutLineKind, PayoutStatus } from 'serai/payment'
import { type CallbackEvent, checkout, openDesk, type Rig, type SeenCheckout, type SeenPayoutLine } from 'serai/payment/acceptance'
import { feeOf, type Kept, type Line, shown, startSimulator, token } from './simulator.ts'

const webhookSecret = 'example-webhook-secret'

/** Statuses of a checkout in the gateway's words. */
const words: Partial<Readonly<Record<CheckoutStatus, string>>> = {
  open: 'waiting',
  processing: 'pending',
  paid: 'succeeded',
  failed: 'declined',
  cancelled: 'given_up',
  expired: 'closed',
}
const meanings = Object.fromEntries(Object.entries(words).map(([status, word]) => [word, status])) as Readonly<
  Record<string, CheckoutStatus>
>

/** Reads a checkout from the simulator's own data in the contract's words, never from what the adapter says. */
function seenIn(one: Kept): SeenCheckout {
  const text = (name: string) => (typeof one.asked[name] === 'string' ? one.asked[name] : null)
  const isPaid = one.status === 'succeeded'
  return {
    externalId: one.id,
    paymentId: text('merchantId'),
    reference: text('reference'),
    description: text('description'),
    amount: Number(one.asked.amount),
    unit: 'minor',
    currency: text('currency') ?? '',
    language: text('language'),
    returnUrl: text('returnUrl') ?? '',
    cancelUrl: text('cancelUrl'),
    webhookUrl: text('webhookUrl'),
    status: meanings[one.status] ?? 'open',
    paid: isPaid ? one.paid : null,
    fee: isPaid ? feeOf(one) : null,
  }
}

const refundStatuses = { waiting: 'pending', sent: 'done', rejected: 'failed' } as const

/** Reads payouts and their lines from the simulator's own data. */
const payoutWords: Readonly<Record<PayoutStatus, string>> = {
  pending: 'planned',
  in_transit: 'sent',
  paid: 'arrived',
  failed: 'rejected',
  cancelled: 'withdrawn',
}
const payoutMeanings = Object.fromEntries(Object.entries(payoutWords).map(([status, word]) => [word, status])) as Readonly<
  Record<string, PayoutStatus>
>
const kinds: Readonly<Record<Line['type'], PayoutLineKind>> = { sale: 'payment', refund: 'refund', rejected_payout: 'returned' }

const seenLine = ({ id, type, amount, fee, currency, checkout, payout }: Line): SeenPayoutLine => ({
  externalId: id,
  kind: kinds[type],
  gross: amount,
  fee,
  net: amount - fee,
  currency,
  checkoutId: checkout ?? null,
  refundId: null,
  payoutId: payout ?? null,
})

/** Connects the acceptance suite to the simulator: credentials, payers, and every way in which the gateway can fail. */
export function rig(gateway: PaymentAdapter): Rig {
  const simulator = startSimulator()
  const credentials = { token, webhookSecret }
  const origins = Object.fromEntries(gateway.net.map((host) => [host, simulator.url]))
  const signed = (body: Uint8Array) => {
    const signature = new Bun.CryptoHasher('sha256', webhookSecret).update(body).digest('hex')
    return { method: 'POST', url: '/webhook', headers: { 'content-type': 'application/json', 'x-signature': signature }, body }
  }
  const become = (externalId: string, status: CheckoutStatus, amount?: number) => {
    const one = simulator.checkouts.get(externalId)
    if (!one) throw new Error(`There is no checkout ${externalId}.`)
    one.status = words[status] ?? status
    one.paid = status === 'paid' ? (amount ?? Number(one.asked.amount)) : 0
  }
  const told = (event: CallbackEvent) => {
    if (!event) return { type: 5 }
    const { externalId, status } = event
    if (status !== 'unknown') become(externalId, status)
    const one = simulator.checkouts.get(externalId)
    return { type: status === 'unknown' ? 'dance' : 'checkout', checkout: one && shown(one) }
  }
  return {
    credentials,
    settings: {},
    badCredentials: { token: 'a-wrong-token-9876543210' },
    open: (options) => openDesk(gateway, origins, { credentials, ...options }),
    checkout,
    refusable: () => ({ checkout: checkout({ amount: 1 }), words: 'no less than 1.00' }),
    calls: {
      testConnection: '^GET /v1/me$',
      createCheckout: '^POST /v1/checkouts$',
      read: '^GET /v1/checkouts/',
      expire: '/close$',
      refund: '/refunds$',
      'payouts.list': '^GET /v1/payouts$',
      'payouts.lines': '^GET /v1/payouts/.*/lines$',
    },
    fail: (trouble, on) => void Object.assign(simulator.state, { trouble, on }),
    calm: () => void Object.assign(simulator.state, { trouble: undefined, pageRows: 50, refundsWait: false }),
    statusAt: 'status',
    takeBack: async (_, externalId) => void Object.assign(simulator.checkouts.get(externalId) ?? {}, { disputed: true }),
    delayRefunds: () => void Object.assign(simulator.state, { refundsWait: true }),
    async moveRefund(_, externalId, status) {
      const refunds = [...simulator.checkouts.values()].flatMap(({ refunds }) => [...refunds.values()])
      const one = refunds.find(({ id }) => id === externalId)
      if (!one) throw new Error(`There is no refund ${externalId}.`)
      one.state = status === 'done' ? 'sent' : 'rejected'
    },
    // Fields that its API lacks or never returns, each with the reason. All others are compared with the request.
    lacks: { authorized: 'what is paid is taken at once', age: 'its callbacks have no time of signing' },
    // The gateway's published quota.
    limits: { windows: [{ calls: 60, seconds: 60 }] },
    async seen(paymentId) {
      const found = [...simulator.checkouts.values()].filter(({ asked }) => asked.merchantId === paymentId)
      const refunds = found.flatMap(({ id, refunds }) =>
        [...refunds.values()].map(({ amount, currency, state }) => ({ externalId: id, amount, currency, status: refundStatuses[state] })),
      )
      return { checkouts: found.map(seenIn), refunds, calls: [...simulator.calls] }
    },
    become: async (_, externalId, status, amount) => become(externalId, status, amount),
    payOut: async () => simulator.payOut().id,
    async seenPayout(_, externalId) {
      const one = simulator.payouts.find(({ id }) => id === externalId)
      if (!one) throw new Error(`There is no payout ${externalId}.`)
      const { total: amount, currency, due: arrivesAt, state } = one
      const status = payoutMeanings[state] ?? 'paid'
      return { payout: { externalId, amount, currency, lines: 'ready', status, arrivesAt }, lines: one.lines.map(seenLine) }
    },
    movePayout: async (_, externalId, status) => simulator.movePayout(externalId, payoutWords[status]),
    pagesOf: (rows) => void Object.assign(simulator.state, { pageRows: rows }),
    tells: ['paid', 'failed', 'cancelled', 'expired'],
    proof: { in: 'header', name: 'x-signature', signs: true },
    callback: async (_, events) => signed(new TextEncoder().encode(JSON.stringify({ events: events.map(told) }))),
    signed: async (_, body) => signed(body),
    close: simulator.stop,
  }
}
