export type Json = Readonly<Record<string, unknown>>
export type Mode = 'test' | 'live'
export type Status = 'pending' | 'processing' | 'paid' | 'failed' | 'canceled' | 'expired'

/** A checkout as Chargily keeps it. */
export interface Kept {
  readonly id: string
  readonly mode: Mode
  /** What was asked for, as it came. */
  readonly asked: Json
  readonly createdAt: number
  status: Status
  /** Whole dinars. */
  amount: number
  method: string
  updatedAt: number
}

/** How the same things may be written: the documents show some of each. */
export interface Spelling {
  /** In what form metadata comes back is not published. */
  metadataAs: 'object' | 'list' | 'text'
  /** Amounts and times as text. */
  numbersAs: 'numbers' | 'text'
  /** `null` where nobody knows what false was meant to be. */
  booleansAs: 'mixed' | 'booleans' | 'numbers' | 'text' | 'null'
}

export const usualSpelling: Spelling = { metadataAs: 'object', numbersAs: 'numbers', booleansAs: 'mixed' }

const METHODS = ['edahabia', 'cib', 'chargily_app']
const ALLOCATIONS = ['customer', 'merchant', 'split']
const LOCALES = ['ar', 'en', 'fr']
/** Nobody's real ones: neither is published. */
const LEAST = 75
const FEE_PERCENT = 2

const isAddress = (value: unknown) => typeof value === 'string' && /^https?:\/\/\S+$/.test(value)
const isOneOf = (values: readonly string[]) => (value: unknown) => value === undefined || values.includes(String(value))

const booleans: Readonly<Record<Exclude<Spelling['booleansAs'], 'mixed'>, (value: boolean) => unknown>> = {
  booleans: (value) => value,
  numbers: Number,
  text: String,
  null: (value) => (value ? true : null),
}

/** What is wrong with what was asked, by field, in the words that validators of its kind use. */
function faultsIn(body: Json): Record<string, string[]> {
  const { amount, currency, success_url, failure_url, webhook_endpoint, locale, payment_method, chargily_pay_fees_allocation } = body
  const rules: readonly (readonly [field: string, holds: boolean, words: string])[] = [
    ['amount', Number.isInteger(amount), 'The amount must be an integer.'],
    ['amount', Number(amount) >= LEAST, `The amount must be at least ${LEAST}.`],
    ['currency', currency === 'dzd', 'The selected currency is invalid.'],
    ['success_url', isAddress(success_url), 'The success url field is required.'],
    ['failure_url', failure_url === undefined || isAddress(failure_url), 'The failure url format is invalid.'],
    ['webhook_endpoint', webhook_endpoint === undefined || isAddress(webhook_endpoint), 'The webhook endpoint format is invalid.'],
    ['locale', isOneOf(LOCALES)(locale), 'The selected locale is invalid.'],
    ['payment_method', isOneOf(METHODS)(payment_method), 'The selected payment method is invalid.'],
    ['chargily_pay_fees_allocation', isOneOf(ALLOCATIONS)(chargily_pay_fees_allocation), 'The selected allocation is invalid.'],
  ]
  // Of several faults of a field the first is told.
  const broken = rules.filter(([, holds]) => !holds).toReversed()
  return Object.fromEntries(broken.map(([field, , words]) => [field, [words]]))
}

export function createBooks(spelling: Spelling, now: () => number = Date.now) {
  const kept = new Map<string, Kept>()
  const written = (value: number) => (spelling.numbersAs === 'text' ? String(value) : value)
  /** In what form each comes where they are mixed is what the documents show. */
  const flag = (value: boolean, mixed: 'booleans' | 'numbers') =>
    booleans[spelling.booleansAs === 'mixed' ? mixed : spelling.booleansAs](value)

  function create(mode: Mode, asked: Json): Kept | { faults: Record<string, string[]> } {
    const faults = faultsIn(asked)
    if (Object.keys(faults).length > 0) return { faults }
    const id = `01jd${crypto.randomUUID().replaceAll('-', '').slice(0, 22)}`
    const at = now()
    const method = String(asked.payment_method ?? 'edahabia')
    const one: Kept = { id, mode, asked, createdAt: at, updatedAt: at, status: 'pending', amount: Number(asked.amount), method }
    kept.set(id, one)
    return one
  }

  function move(id: string, status: Status, { amount, at = now() }: { amount?: number; at?: number } = {}): Kept {
    const one = kept.get(id)
    if (!one) throw new Error(`There is no checkout ${id}.`)
    return Object.assign(one, { status, updatedAt: at, ...(amount !== undefined && { amount }) })
  }

  /** The object as the API answers it; in an event it has `url` instead of `checkout_url`. */
  function shown({ id, mode, asked, status, amount, method, createdAt, updatedAt }: Kept): Json {
    const fees = Math.round((amount * FEE_PERCENT) / 100)
    const allocation = String(asked.chargily_pay_fees_allocation ?? 'customer')
    const onMerchant = { customer: 0, merchant: fees, split: Math.floor(fees / 2) }[allocation] ?? 0
    return {
      id,
      entity: 'checkout',
      livemode: flag(mode === 'live', 'booleans'),
      amount: written(amount),
      currency: 'dzd',
      fees: written(fees),
      fees_on_merchant: written(onMerchant),
      fees_on_customer: written(fees - onMerchant),
      pass_fees_to_customer: flag(allocation === 'customer', 'numbers'),
      chargily_pay_fees_allocation: allocation,
      status,
      locale: asked.locale ?? 'ar',
      description: asked.description ?? null,
      metadata: metadataOf(asked.metadata, spelling.metadataAs),
      success_url: asked.success_url,
      failure_url: asked.failure_url ?? null,
      webhook_endpoint: asked.webhook_endpoint ?? null,
      payment_method: method,
      invoice_id: null,
      customer_id: null,
      payment_link_id: null,
      created_at: written(Math.floor(createdAt / 1000)),
      updated_at: written(Math.floor(updatedAt / 1000)),
      shipping_address: null,
      collect_shipping_address: flag(false, 'numbers'),
      discount: null,
      amount_without_discount: null,
      checkout_url: `https://pay.chargily.dz/${mode === 'test' ? 'test/' : ''}checkouts/${id}/pay`,
    }
  }

  return { create, move, shown, get: (id: string) => kept.get(id), all: () => [...kept.values()] }
}

function metadataOf(metadata: unknown, as: Spelling['metadataAs']): unknown {
  if (metadata === undefined) return null
  if (as === 'text') return JSON.stringify(metadata)
  return as === 'list' ? [metadata] : metadata
}

export type Books = ReturnType<typeof createBooks>
