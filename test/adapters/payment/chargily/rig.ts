import {
  type CallbackEvent,
  checkout,
  openDesk,
  type Rig,
  type SeenCall,
  type SeenCheckout,
} from '../../../../plugins/payment/acceptance.ts'
import type { InboundRequest, PaymentAdapter } from '../../../../plugins/payment/index.ts'
import type { CheckoutStatus } from '../../../../plugins/payment/model.ts'
import type { Call } from '../../../support/simulator/simulator.ts'
import { misbehaving, spelled, words } from '../simulated.ts'
import { type Chargily, type ChargilyOptions, type Kept, type Spelling, type Status, startChargily } from './simulator.ts'

export const inbound = ({ headers, body }: Pick<InboundRequest, 'headers' | 'body'>): InboundRequest => ({
  method: 'POST',
  url: '/v1/stores/sto_rig/integrations/chargily/webhook',
  headers,
  body,
})

const theirs: Partial<Readonly<Record<CheckoutStatus, Status>>> = {
  open: 'pending',
  processing: 'processing',
  paid: 'paid',
  failed: 'failed',
  cancelled: 'canceled',
  expired: 'expired',
}
const ours = Object.fromEntries(Object.entries(theirs).map(([status, word]) => [word, status])) as Readonly<Record<Status, CheckoutStatus>>

const spellings: Readonly<Record<string, Partial<Spelling>>> = {
  'metadata as a list': { metadataAs: 'list' },
  'metadata as text': { metadataAs: 'text' },
  'numbers as text': { numbersAs: 'text' },
  'booleans as they are': { booleansAs: 'booleans' },
  'booleans as 0 and 1': { booleansAs: 'numbers' },
  'booleans as "true" and "false"': { booleansAs: 'text' },
  'booleans as null': { booleansAs: 'null' },
}

function seenIn({ kept, shown }: { kept: Kept; shown: Readonly<Record<string, unknown>> }): SeenCheckout {
  const { asked, status, amount } = kept
  const metadata = asked.metadata as { paymentId?: string; reference?: string } | undefined
  return {
    externalId: kept.id,
    paymentId: words(metadata?.paymentId),
    reference: words(metadata?.reference),
    description: words(asked.description),
    amount: Number(asked.amount),
    unit: 'major',
    currency: String(asked.currency).toUpperCase(),
    language: words(asked.locale),
    returnUrl: String(asked.success_url),
    cancelUrl: words(asked.failure_url),
    webhookUrl: words(asked.webhook_endpoint),
    status: ours[status],
    paid: status === 'paid' ? amount : null,
    fee: status === 'paid' ? Number(shown.fees_on_merchant) : null,
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

/** One event a request; more than one tests what no event of theirs can. */
function told(simulator: Chargily, events: readonly CallbackEvent[]): InboundRequest {
  const rows = events.map((event) => {
    if (!event) return { entity: 'event', type: 5, data: null }
    const { externalId: id, status } = event
    if (status === 'unknown') return simulator.eventOf(id, { type: 'checkout.dancing' })
    if (simulator.shown(id).status !== theirs[status]) simulator.move(id, theirs[status] ?? 'pending')
    return simulator.eventOf(id)
  })
  return inbound(simulator.signed(new TextEncoder().encode(simulator.written(rows.length === 1 ? rows[0] : rows))))
}

export type ChargilyRig = Rig & { readonly simulator: Chargily }

export function rig(gateway: PaymentAdapter, simulator = startChargily(), given: Rig['settings'] = {}): ChargilyRig {
  const { credentials } = simulator
  const origins = Object.fromEntries(gateway.net.map((host) => [host, simulator.url]))
  const settings = { feesAllocation: 'merchant', ...given }
  const seen = (paymentId: string) => simulator.checkouts(paymentId).map((kept) => seenIn({ kept, shown: simulator.shown(kept.id) }))
  return {
    simulator,
    credentials,
    settings,
    badCredentials: { secretKey: 'test_sk_wrong9876543210' },
    open: (options) => openDesk(gateway, origins, { credentials, settings, ...options }),
    checkout,
    refusable: () => ({ checkout: checkout({ amount: 10 }), words: 'The amount must be at least 75' }),
    calls: {
      testConnection: '^GET /(test/)?api/v2/balance$',
      createCheckout: '^POST /(test/)?api/v2/checkouts$',
      read: '^GET /(test/)?api/v2/checkouts/',
      expire: '^POST /(test/)?api/v2/checkouts/[^/]+/expire$',
    },
    ...misbehaving(simulator, simulator.state),
    spellings: spelled(simulator.state, spellings),
    statusAt: 'status',
    lacks: {
      authorized: 'what is paid is taken at once',
      takenBack: 'no answer says so',
      age: 'its callbacks have no time of signing',
    },
    // No quota is published; others keep to this one.
    limits: { windows: [{ calls: 60, seconds: 60 }] },
    seen: async (paymentId) => ({ checkouts: seen(paymentId), refunds: [], calls: simulator.requests.map(callIn) }),
    become: async (_, externalId, status, amount) =>
      void simulator.move(externalId, theirs[status] ?? 'pending', amount === undefined ? {} : { amount }),
    tells: ['paid', 'failed', 'cancelled', 'expired'],
    proof: { in: 'header', name: 'signature', signs: true },
    callback: async (_, events) => told(simulator, events),
    signed: async (_, body) => inbound(simulator.signed(new Uint8Array(body))),
    close: () => simulator.stop(),
  }
}

const open: ChargilyRig[] = []
export const stopAll = () => Promise.all(open.map((one) => one.close?.()))

/** A connection to a simulator of its own. */
export function connected(gateway: PaymentAdapter, options: ChargilyOptions = {}, settings: Rig['settings'] = {}): ChargilyRig {
  const one = rig(gateway, startChargily(options), settings)
  open.push(one)
  return one
}
