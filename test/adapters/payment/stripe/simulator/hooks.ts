import Stripe from 'stripe'
import { type Books, type Outcome, shownCharge, shownRefund, shownSession } from './books.ts'
import type { Json } from './form.ts'

export interface Told {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

const VERSION = '2026-10-28.endive'

/** The event of what became of a session. */
const types: Readonly<Record<Outcome, string>> = {
  open: 'checkout.session.created',
  processing: 'checkout.session.completed',
  paid: 'checkout.session.completed',
  failed: 'checkout.session.async_payment_failed',
  cancelled: 'checkout.session.async_payment_failed',
  expired: 'checkout.session.expired',
}

/** Events as Stripe writes them, signed by Stripe's own library. */
export function createHooks(books: Books, secret: string, now: () => number) {
  const seconds = () => Math.floor(now() / 1000)

  async function signed(body: Uint8Array<ArrayBuffer>, more: { timestamp?: number; secret?: string } = {}): Promise<Told> {
    const payload = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
    const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp: seconds(), ...more })
    return { headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header }, body }
  }

  const eventOf = (type: string, object: Json): Json => ({
    id: `evt_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`,
    object: 'event',
    api_version: VERSION,
    created: seconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  })

  /** What is told of a session once it has become so. */
  const sessionEvent = (id: string, outcome: Outcome, type = types[outcome]): Json =>
    eventOf(type, shownSession(books.get(id), { expanded: false }))

  /** What is told of the money that was given back of a session: of the charge, and of the last refund. */
  function refundEvents(id: string): Json[] {
    const one = books.get(id)
    const refund = one.refunds.at(-1)
    if (!refund || !one.intent) throw new Error(`Nothing of ${id} was given back.`)
    return [eventOf('charge.refunded', shownCharge(one, one.intent.id)), eventOf('refund.created', shownRefund(one, refund))]
  }

  /** Indented, as Stripe sends them: written anew they have other bytes. */
  const written = (event: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(event, null, 2))

  return { signed, eventOf, sessionEvent, refundEvents, written }
}
