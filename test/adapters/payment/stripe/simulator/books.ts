import { at, type Json, textAt } from './form.ts'

export type SessionStatus = 'open' | 'complete' | 'expired'
export type RefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
/** What a payer, or time, makes of a session. */
export type Outcome = 'open' | 'processing' | 'paid' | 'failed' | 'cancelled' | 'expired'

export interface Refund {
  readonly id: string
  readonly amount: number
  readonly metadata: Json
  readonly created: number
  status: RefundStatus
}

/** A session as Stripe keeps it, with the payment that comes of it. */
export interface Session {
  readonly id: string
  /** What was asked for, as it came. */
  readonly asked: Json
  readonly created: number
  readonly expiresAt: number
  status: SessionStatus
  isPaid: boolean
  amountTotal: number
  /** There is none before the payer is done. */
  intent: { readonly id: string; status: string } | null
  paidAt: number
  readonly refunds: Refund[]
}

export class Refusal extends Error {
  constructor(
    message: string,
    readonly code: string | null = null,
    readonly param: string | null = null,
    readonly status = 400,
  ) {
    super(message)
  }
}

const FEE_PERCENT = 3
const DAY_SECONDS = 86_400
const HALF_HOUR_SECONDS = 1_800
/** Nobody's real one. */
const LEAST = 50
const THREE = ['bhd', 'jod', 'kwd', 'omr', 'tnd']
const LOCALES = ['auto', 'de', 'en', 'es', 'fr', 'it']
const KNOWN =
  'mode line_items client_reference_id metadata payment_intent_data success_url cancel_url locale customer_email expires_at expand'
const MEANT: Readonly<Record<Outcome, readonly [SessionStatus, string | null]>> = {
  open: ['open', null],
  processing: ['complete', 'processing'],
  paid: ['complete', 'succeeded'],
  failed: ['complete', 'requires_payment_method'],
  cancelled: ['complete', 'canceled'],
  expired: ['expired', null],
}

const mark = () => crypto.randomUUID().replaceAll('-', '').slice(0, 24)
const stands = (refunds: readonly Refund[]) =>
  refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled').reduce((sum, { amount }) => sum + amount, 0)

function assertWhole(asked: Json, now: number): void {
  const price = 'line_items.0.price_data'
  const amount = Number(at(asked, `${price}.unit_amount`))
  const currency = textAt(asked, `${price}.currency`) ?? ''
  const end = asked.expires_at === undefined ? now + DAY_SECONDS : Number(asked.expires_at)
  const unknown = Object.keys(asked).find((name) => !KNOWN.split(' ').includes(name))
  if (unknown) throw new Refusal(`Received unknown parameter: ${unknown}`, 'parameter_unknown', unknown)
  if (asked.mode !== 'payment') throw new Refusal('You must provide a mode.', 'parameter_missing', 'mode')
  if (!/^[a-z]{3}$/.test(currency) || currency === 'xts') throw new Refusal(`Invalid currency: ${currency}.`, null, 'currency')
  if (!Number.isInteger(amount)) throw new Refusal(`Invalid integer: ${at(asked, `${price}.unit_amount`)}`, 'parameter_invalid_integer')
  if (amount < LEAST) throw new Refusal(`The total amount must be at least ${LEAST} of the least unit.`, 'amount_too_small')
  if (THREE.includes(currency) && amount % 10 !== 0)
    throw new Refusal(`Amounts in ${currency} must be divisible by 10.`, 'invalid_charge_amount')
  if (!textAt(asked, `${price}.product_data.name`)?.trim())
    throw new Refusal('You passed an empty string for the name.', 'parameter_invalid_empty')
  if (!URL.canParse(String(asked.success_url))) throw new Refusal('Not a valid URL', 'url_invalid', 'success_url')
  if (asked.locale !== undefined && !LOCALES.includes(String(asked.locale))) throw new Refusal('Invalid locale', null, 'locale')
  if (!(end >= now + HALF_HOUR_SECONDS && end <= now + DAY_SECONDS))
    throw new Refusal('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', null, 'expires_at')
}

export function createBooks(now: () => number) {
  const kept = new Map<string, Session>()
  const seconds = () => Math.floor(now() / 1000)

  function create(asked: Json): Session {
    assertWhole(asked, seconds())
    const amountTotal = Number(at(asked, 'line_items.0.price_data.unit_amount')) * Number(at(asked, 'line_items.0.quantity') ?? 1)
    const expiresAt = Number(asked.expires_at ?? seconds() + DAY_SECONDS)
    const life = { status: 'open' as const, isPaid: false, amountTotal, intent: null, paidAt: 0, refunds: [] }
    const one: Session = { id: `cs_test_${mark()}`, asked, created: seconds(), expiresAt, ...life }
    kept.set(one.id, one)
    return one
  }

  function get(id: string): Session {
    const one = kept.get(id)
    if (!one) throw new Refusal(`No such checkout.session: ${id}`, 'resource_missing', 'session', 404)
    return one
  }

  function move(id: string, outcome: Outcome, { amount }: { amount?: number } = {}): Session {
    const one = get(id)
    const [status, intent] = MEANT[outcome]
    if (intent) one.intent = { id: one.intent?.id ?? `pi_${mark()}`, status: intent }
    if (amount !== undefined) one.amountTotal = amount
    return Object.assign(one, { status, isPaid: outcome === 'paid', paidAt: seconds() })
  }

  function expire(id: string): Session {
    const { status } = get(id)
    if (status !== 'open')
      throw new Refusal(`Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${status}.`)
    return move(id, 'expired')
  }

  const ofIntent = (intent: unknown) => [...kept.values()].find((one) => one.intent?.id === intent)

  function refund(asked: Json, status: RefundStatus): { session: Session; refund: Refund } {
    const session = ofIntent(asked.payment_intent)
    if (!session) throw new Refusal(`No such payment_intent: '${asked.payment_intent}'`, 'resource_missing', 'payment_intent', 404)
    if (!session.isPaid) throw new Refusal('This PaymentIntent does not have a successful charge to refund.')
    const left = session.amountTotal - stands(session.refunds)
    const amount = asked.amount === undefined ? left : Number(asked.amount)
    if (left === 0) throw new Refusal(`The charge of ${session.id} has already been refunded.`, 'charge_already_refunded')
    if (!(amount > 0 && amount <= left))
      throw new Refusal(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, null, 'amount')
    const refund: Refund = { id: `re_${mark()}`, amount, metadata: (asked.metadata ?? {}) as Json, created: seconds(), status }
    session.refunds.push(refund)
    return { session, refund }
  }

  return { create, get, move, expire, ofIntent, refund, all: () => [...kept.values()] }
}
export type Books = ReturnType<typeof createBooks>

export const currencyOf = ({ asked }: Session) => textAt(asked, 'line_items.0.price_data.currency')

/** A session as the API answers it; what it refers to is only named, unless it was asked to be shown. */
export function shownSession(one: Session, { expanded }: { readonly expanded: boolean }): Json {
  const { id, asked, created, expiresAt, status, isPaid, amountTotal, intent } = one
  return {
    id,
    object: 'checkout.session',
    mode: asked.mode,
    url: status === 'open' ? `https://checkout.stripe.com/c/pay/${id}#fid` : null,
    status,
    payment_status: isPaid ? 'paid' : 'unpaid',
    payment_intent: intent && (expanded ? shownIntent(one, intent) : intent.id),
    amount_total: amountTotal,
    currency: currencyOf(one),
    client_reference_id: asked.client_reference_id ?? null,
    metadata: asked.metadata ?? {},
    created,
    expires_at: expiresAt,
    livemode: false,
    ui_mode: 'hosted_page',
  }
}

/** Its metadata are what was asked for it: those of the session are not copied. */
function shownIntent(one: Session, intent: { id: string; status: string }): Json {
  const isFailed = intent.status === 'requires_payment_method'
  return {
    id: intent.id,
    object: 'payment_intent',
    status: intent.status,
    metadata: at(one.asked, 'payment_intent_data.metadata') ?? {},
    last_payment_error: isFailed ? { code: 'card_declined', message: 'Your card was declined.' } : null,
    latest_charge: one.isPaid ? shownCharge(one, intent.id) : null,
  }
}

export function shownCharge(one: Session, intent: string): Json {
  const { amountTotal, paidAt, refunds } = one
  return {
    id: `ch_${intent.slice(3)}`,
    object: 'charge',
    payment_intent: intent,
    amount: amountTotal,
    amount_captured: amountTotal,
    amount_refunded: stands(refunds),
    currency: currencyOf(one),
    created: paidAt,
    payment_method_details: { type: 'card' },
    balance_transaction: { object: 'balance_transaction', currency: currencyOf(one), fee: feeOf(one) },
  }
}

export const feeOf = ({ amountTotal }: Session): number => Math.round((amountTotal * FEE_PERCENT) / 100)

export const shownRefund = (one: Session, { id, amount, metadata, created, status }: Refund): Json => ({
  id,
  object: 'refund',
  amount,
  currency: currencyOf(one),
  payment_intent: one.intent?.id ?? null,
  metadata,
  created,
  status,
  ...(status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
})
