import {
  type CallbackEvent,
  checkout,
  openDesk,
  type Rig,
  type SeenCall,
  type SeenCheckout,
} from '../../../../plugins/payment/acceptance.ts'
import type { Checkout, InboundRequest, PaymentAdapter } from '../../../../plugins/payment/index.ts'
import type { CheckoutStatus } from '../../../../plugins/payment/model.ts'
import type { Call } from '../../../support/simulator/simulator.ts'
import { misbehaving } from '../simulated.ts'
import { feeOf } from './simulator/books.ts'
import type { Subject } from './simulator/hooks.ts'
import { type Order, type Outcome, type PayPalSimulator, startPayPal } from './simulator.ts'

export const inbound = ({ headers, body }: Pick<InboundRequest, 'headers' | 'body'>): InboundRequest => ({
  method: 'POST',
  url: '/v1/stores/sto_rig/integrations/paypal/webhook',
  headers,
  body,
})

const subjects: Partial<Readonly<Record<CheckoutStatus, Subject>>> = {
  authorized: 'CHECKOUT.ORDER.APPROVED',
  paid: 'PAYMENT.CAPTURE.COMPLETED',
  processing: 'PAYMENT.CAPTURE.PENDING',
  failed: 'PAYMENT.CAPTURE.DENIED',
}
const ofCaptures = { COMPLETED: 'paid', PENDING: 'processing', DECLINED: 'failed' } as const
const ofOrders = {
  PAYER_ACTION_REQUIRED: 'open',
  CREATED: 'open',
  APPROVED: 'authorized',
  VOIDED: 'cancelled',
  COMPLETED: 'failed',
} as const

/** As the server counts: PayPal writes no decimals of some, and two of the others. */
const unitsIn = ({ currency_code, value }: Order['unit']['amount']) => Math.round(Number(value) * (currency_code === 'JPY' ? 1 : 100))

function seenIn(one: Order): SeenCheckout {
  const { asked, unit, status, captures } = one
  const { experience_context: context } = (asked.payment_source as { paypal: { experience_context: Record<string, string> } }).paypal
  const capture = captures.at(-1)
  const isPaid = capture?.status === 'COMPLETED'
  return {
    externalId: one.id,
    paymentId: unit.custom_id ?? null,
    reference: String(unit.reference_id),
    description: String(unit.description),
    amount: unitsIn(unit.amount),
    unit: 'minor',
    currency: unit.amount.currency_code,
    language: context.locale?.slice(0, 2) ?? null,
    returnUrl: String(context.return_url),
    cancelUrl: context.cancel_url ?? null,
    webhookUrl: null,
    status: capture ? ofCaptures[capture.status] : ofOrders[status],
    paid: isPaid ? unitsIn(unit.amount) : null,
    fee: isPaid ? feeOf(one) : null,
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

/** One event a request. What it tells of the order is so. */
function told(simulator: PayPalSimulator, [event]: readonly CallbackEvent[]): InboundRequest {
  if (!event) return inbound(simulator.signed(simulator.written({ event_type: 5, resource: null })))
  const { externalId: id, status } = event
  if (status === 'unknown') return inbound(simulator.signed(simulator.written(simulator.told(id, 'CHECKOUT.ORDER.DANCED'))))
  simulator.move(id, status as Outcome)
  return inbound(simulator.signed(simulator.written(simulator.told(id, subjects[status] ?? ''))))
}

export type PayPalRig = Rig & { readonly simulator: PayPalSimulator }

export function rig(gateway: PaymentAdapter, simulator = startPayPal()): PayPalRig {
  const { credentials } = simulator
  const origins = Object.fromEntries(gateway.net.map((host) => [host, simulator.url]))
  const asked = (change?: Partial<Checkout>) => checkout({ currency: 'USD', ...change })
  return {
    simulator,
    credentials,
    settings: {},
    badCredentials: { clientSecret: 'EKwrong9876543210' },
    holding: {},
    open: (options) => openDesk(gateway, origins, { credentials, ...options }),
    checkout: asked,
    refusable: () => ({ checkout: asked({ amount: 10 }), words: 'below what is taken' }),
    calls: {
      testConnection: '^POST /v1/oauth2/token$',
      createCheckout: '^POST /v2/checkout/orders$',
      read: '^GET /v2/checkout/orders/',
      capture: '^POST /v2/checkout/orders/[^/]+/capture$',
      refund: '^POST /v2/payments/captures/[^/]+/refund$',
    },
    ...misbehaving(simulator, simulator.habits),
    spellings: {
      'the way to the payer’s page as older orders do': () => void Object.assign(simulator.habits, { payerRel: 'approve' }),
    },
    statusAt: { open: 'status', paid: 'purchase_units.0.payments.captures.0.status' },
    lacks: {
      takenBack: 'what a bank reversed is among the tests of its own',
      'refund.pending': 'its simulator gives back at once; refunds that wait are among the tests of its own',
      expired: 'an order that nobody approves is forgotten',
      otherAmount: 'it takes exactly what was asked for',
      webhookUrl: 'callbacks go to the addresses of the app',
      several: 'it tells one event a request',
      age: 'callbacks are repeated for three days, and whether under a new time is not known',
    },
    // No quota is published; others keep to this one.
    limits: { windows: [{ calls: 300, seconds: 60 }] },
    async seen(paymentId) {
      const orders = simulator.orders(paymentId || undefined)
      const refunds = orders.flatMap((one) =>
        one.captures.flatMap(({ refunds }) =>
          refunds.map(({ amount }) => ({ externalId: one.id, amount: unitsIn(amount), currency: amount.currency_code })),
        ),
      )
      return { checkouts: orders.map(seenIn), refunds, calls: simulator.requests.map(callIn) }
    },
    become: async (_, externalId, status) => void simulator.move(externalId, status as Outcome),
    tells: ['authorized', 'paid', 'processing', 'failed'],
    proof: { in: 'header', name: 'paypal-transmission-sig', signs: true },
    callback: async (_, events) => told(simulator, events),
    signed: async (_, body) => inbound(simulator.signed(new Uint8Array(body))),
    close: () => simulator.stop(),
  }
}
