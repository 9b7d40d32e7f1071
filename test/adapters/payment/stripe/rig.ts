import {
  type CallbackEvent,
  checkout,
  openDesk,
  type Rig,
  type SeenCall,
  type SeenCheckout,
  type SeenPayout,
  type SeenPayoutLine,
} from '../../../../plugins/payment/acceptance.ts'
import type { Checkout, InboundRequest, PaymentAdapter } from '../../../../plugins/payment/index.ts'
import type { CheckoutStatus } from '../../../../plugins/payment/model.ts'
import type { PayoutLineKind, PayoutStatus } from '../../../../plugins/payment/payouts.model.ts'
import type { Call } from '../../../support/simulator/simulator.ts'
import { misbehaving } from '../simulated.ts'
import type { Payout, Transaction } from './simulator/balance.ts'
import { feeOf } from './simulator/books.ts'
import { textAt } from './simulator/form.ts'
import { type Outcome, type Session, type StripeSimulator, startStripe } from './simulator.ts'

export const inbound = ({ headers, body }: Pick<InboundRequest, 'headers' | 'body'>): InboundRequest => ({
  method: 'POST',
  url: '/v1/stores/sto_rig/integrations/stripe/webhook',
  headers,
  body,
})

const ofIntents: Readonly<Record<string, CheckoutStatus>> = {
  processing: 'processing',
  requires_payment_method: 'failed',
  canceled: 'cancelled',
}

function statusIn({ status, isPaid, intent }: Session): CheckoutStatus {
  if (status !== 'complete') return status
  return isPaid ? 'paid' : (ofIntents[intent?.status ?? ''] ?? 'processing')
}

/** Where the payer returns, without the place for the name of the session, which has to arrive to the letter. */
const withoutPlace = (address: string | null) => String(address).replace(/[?&]session_id=\{CHECKOUT_SESSION_ID\}$/, '')

function seenIn(one: Session): SeenCheckout {
  const { asked, isPaid, amountTotal } = one
  const price = 'line_items.0.price_data'
  return {
    externalId: one.id,
    paymentId: textAt(asked, 'metadata.paymentId'),
    reference: textAt(asked, 'payment_intent_data.metadata.reference'),
    description: textAt(asked, `${price}.product_data.name`),
    amount: Number(textAt(asked, `${price}.unit_amount`)),
    unit: 'minor',
    currency: String(textAt(asked, `${price}.currency`)).toUpperCase(),
    language: null,
    returnUrl: withoutPlace(textAt(asked, 'success_url')),
    cancelUrl: textAt(asked, 'cancel_url'),
    webhookUrl: null,
    status: statusIn(one),
    paid: isPaid ? amountTotal : null,
    fee: isPaid ? feeOf(one) : null,
  }
}

const ofPayouts: Readonly<Record<Payout['status'], PayoutStatus>> = {
  pending: 'pending',
  in_transit: 'in_transit',
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
}
const details = { completed: 'ready', in_progress: 'later', not_applicable: 'never' } as const

const seenPayout = ({ id, amount, currency, status, reconciliation, arrivalDate }: Payout): SeenPayout => ({
  externalId: id,
  amount,
  currency: currency.toUpperCase(),
  lines: details[reconciliation],
  status: ofPayouts[status],
  arrivesAt: new Date(arrivalDate * 1000).toISOString(),
})

const ofTypes: Readonly<Record<string, PayoutLineKind>> = {
  charge: 'payment',
  refund: 'refund',
  refund_failure: 'refund',
  stripe_fee: 'fee',
  payout_failure: 'returned',
  payout_cancel: 'returned',
}

function seenLine({ id, type, amount, fee, currency, session, of }: Transaction): SeenPayoutLine {
  const refund = session?.refunds.find((one) => one.id === of)
  const kind = of.startsWith('dp_') ? 'dispute' : (ofTypes[type] ?? 'adjustment')
  return {
    externalId: id,
    kind,
    gross: amount,
    fee,
    net: amount - fee,
    currency: currency.toUpperCase(),
    checkoutId: session?.id ?? null,
    refundId: refund ? textAt(refund.metadata, 'refundId') : null,
    payoutId: kind === 'returned' ? of : null,
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

/** One event a request. What it tells of the session is so. */
async function told(simulator: StripeSimulator, [event]: readonly CallbackEvent[]): Promise<InboundRequest> {
  if (!event) return inbound(await simulator.signed(simulator.written({ object: 'event', type: 5, data: null })))
  const { externalId: id, status } = event
  if (status !== 'unknown') simulator.move(id, status as Outcome)
  const type = status === 'unknown' ? 'checkout.session.danced' : undefined
  return inbound(
    await simulator.signed(simulator.written(simulator.sessionEvent(id, status === 'unknown' ? 'open' : (status as Outcome), type))),
  )
}

export type StripeRig = Rig & { readonly simulator: StripeSimulator }

export function rig(gateway: PaymentAdapter, simulator = startStripe()): StripeRig {
  const { credentials } = simulator
  const origins = Object.fromEntries(gateway.net.map((host) => [host, simulator.url]))
  const asked = (change?: Partial<Checkout>) => checkout({ currency: 'USD', ...change })
  return {
    simulator,
    credentials,
    settings: {},
    badCredentials: { secretKey: 'sk_test_wrong9876543210' },
    open: (options) => openDesk(gateway, origins, { credentials, ...options }),
    checkout: asked,
    refusable: () => ({ checkout: asked({ amount: 10 }), words: 'must be at least 50' }),
    calls: {
      testConnection: '^GET /v1/checkout/sessions$',
      createCheckout: '^POST /v1/checkout/sessions$',
      read: '^GET /v1/checkout/sessions/',
      expire: '^POST /v1/checkout/sessions/[^/]+/expire$',
      refund: '^POST /v1/refunds$',
      'payouts.list': '^GET /v1/payouts$',
      'payouts.lines': '^GET /v1/(balance_transactions$|payouts/)',
    },
    ...misbehaving(simulator, simulator.habits),
    statusAt: 'status',
    lacks: {
      takenBack: 'a dispute stands in the lines of payouts, and the answer of a session does not have it',
      'refund.pending': 'its simulator gives back at once; refunds that wait are among the tests of its own',
      authorized: 'what is paid is taken at once',
      language: 'its page speaks no Arabic, and then asks the browser',
      webhookUrl: 'callbacks go to the addresses of the dashboard',
      several: 'it tells one event a request',
    },
    // No quota is published in what this was made from; others keep to this one.
    limits: { windows: [{ calls: 20, seconds: 1 }] },
    async seen(paymentId) {
      const sessions = simulator.sessions(paymentId)
      const refunds = sessions.flatMap((one) =>
        one.refunds.map(({ amount }) => ({ externalId: one.id, amount, currency: seenIn(one).currency })),
      )
      return { checkouts: sessions.map(seenIn), refunds, calls: simulator.requests.map(callIn) }
    },
    become: async (_, externalId, status, amount) =>
      void simulator.move(externalId, status as Outcome, amount === undefined ? {} : { amount }),
    payOut: async () => simulator.payOut().id,
    async seenPayout(_, externalId) {
      const payout = simulator.payouts().find(({ id }) => id === externalId)
      if (!payout) throw new Error(`There is no payout ${externalId}.`)
      return {
        payout: seenPayout(payout),
        lines: simulator
          .linesOf(externalId)
          .filter(({ type }) => type !== 'payout')
          .map(seenLine),
      }
    },
    movePayout: async (_, externalId, status) => void simulator.movePayout(externalId, status === 'cancelled' ? 'canceled' : status),
    pagesOf: (rows) => void Object.assign(simulator.habits, { pageMax: rows }),
    tells: ['paid', 'processing', 'failed', 'expired'],
    proof: { in: 'header', name: 'stripe-signature', signs: true },
    callback: async (_, events) => told(simulator, events),
    signed: async (_, body) => inbound(await simulator.signed(new Uint8Array(body))),
    close: () => simulator.stop(),
  }
}
