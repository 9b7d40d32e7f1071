import {
  type CallbackEvent,
  checkout,
  openDesk,
  type Rig,
  type SeenCall,
  type SeenCheckout,
} from '../../../../plugins/payment/acceptance.ts'
import type { InboundRequest, PaymentAdapter } from '../../../../plugins/payment/index.ts'
import type { Call } from '../../../support/simulator/simulator.ts'
import { misbehaving, spelled, words } from '../simulated.ts'
import { type Kept, type Slickpay, type Spelling, startSlickpay } from './simulator.ts'

const spellings: Readonly<Record<string, Partial<Spelling>>> = {
  'amounts as text': { numbersAs: 'text' },
  'amounts with their thousands apart': { numbersAs: 'grouped' },
  'completed as text': { completedAs: 'text' },
  'completed as true and false': { completedAs: 'booleans' },
  'what SATIM said as text': { logAs: 'text' },
  'names as a list': { metadataAs: 'list' },
}

const namesIn = ({ asked }: Kept) => asked.webhook_meta_data as { paymentId?: string; reference?: string } | undefined

function seenIn(one: Kept): SeenCheckout {
  const { id, asked, amount, isPaid } = one
  return {
    externalId: String(id),
    // It comes back in callbacks alone.
    paymentId: null,
    reference: words(namesIn(one)?.reference),
    description: words(asked.note),
    amount: Number(asked.amount),
    unit: 'major',
    currency: 'DZD',
    language: null,
    returnUrl: String(asked.url),
    cancelUrl: null,
    webhookUrl: words(asked.webhook_url),
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

const SECRET = 'secret-of-callbacks-0123456789'

export const inbound = (body: unknown, secret = SECRET): InboundRequest => ({
  method: 'POST',
  url: `/v1/stores/sto_rig/integrations/slickpay/webhook?token=${secret}`,
  headers: { 'content-type': 'application/json', signature: secret },
  body: new TextEncoder().encode(JSON.stringify(body)),
})

/** One event a request; more than one tests what no callback of theirs can. */
function told(simulator: Slickpay, events: readonly CallbackEvent[]): InboundRequest {
  const rows = events.map((event) => {
    if (!event) return { success: 1, data: null }
    const { externalId, status } = event
    if (status === 'paid') simulator.pay(externalId)
    return simulator.told(externalId, status === 'unknown' ? { completed: 7 } : {})
  })
  return inbound(rows.length === 1 ? rows[0] : rows)
}

export type SlickpayRig = Rig & { readonly simulator: Slickpay }

export function rig(gateway: PaymentAdapter, simulator = startSlickpay()): SlickpayRig {
  const credentials = { ...simulator.credentials, webhookSecret: SECRET }
  const origins = Object.fromEntries(gateway.net.map((host) => [host, simulator.url]))
  const settings = {}
  return {
    simulator,
    credentials,
    settings,
    badCredentials: { publicKey: '54|another-key-9876543210' },
    open: (options) => openDesk(gateway, origins, { credentials, settings, ...options }),
    checkout,
    refusable: () => ({ checkout: checkout({ amount: 9_000_000 }), words: 'The amount must not be greater than' }),
    calls: {
      testConnection: '^GET /api/v2/users/accounts$',
      createCheckout: '^POST /api/v2/users/invoices$',
      read: '^GET /api/v2/users/invoices/',
    },
    ...misbehaving(simulator, simulator.state),
    spellings: spelled(simulator.state, spellings),
    statusAt: 'data.completed',
    lacks: {
      takenBack: 'no answer says so',
      paymentId: 'an invoice that is read does not have it; callbacks do',
      language: 'its page has the language that it likes',
      cancelUrl: 'there is one way back, however it went',
      fee: 'no answer has it',
      processing: 'an invoice is completed or not',
      authorized: 'an invoice is completed or not',
      failed: 'an invoice is completed or not',
      cancelled: 'an invoice is completed or not',
      expired: 'an invoice is completed or not',
    },
    // No quota is published; others keep to this one.
    limits: { windows: [{ calls: 60, seconds: 60 }] },
    seen: async (paymentId) => ({
      checkouts: simulator
        .invoices()
        .filter((one) => namesIn(one)?.paymentId === paymentId)
        .map(seenIn),
      refunds: [],
      calls: simulator.requests.map(callIn),
    }),
    become: async (_, externalId, status, amount) => void (status === 'paid' && simulator.pay(externalId, amount)),
    tells: ['paid'],
    proof: { in: 'query', name: 'token', signs: false },
    callback: async (_, events) => told(simulator, events),
    close: () => simulator.stop(),
  }
}

const open: SlickpayRig[] = []
export const stopAll = () => Promise.all(open.map((one) => one.close?.()))

/** A connection to a simulator of its own. */
export function connected(gateway: PaymentAdapter): SlickpayRig {
  const one = rig(gateway)
  open.push(one)
  return one
}
