export type Json = { readonly [name: string]: unknown }
export type OrderStatus = 'PAYER_ACTION_REQUIRED' | 'CREATED' | 'APPROVED' | 'VOIDED' | 'COMPLETED'
export type CaptureStatus = 'COMPLETED' | 'PENDING' | 'DECLINED'
export type RefundStatus = 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED'

interface Money {
  readonly currency_code: string
  readonly value: string
}

export interface Refund {
  readonly id: string
  readonly amount: Money
  readonly invoiceId: string | null
  readonly at: number
  status: RefundStatus
}

export interface Capture {
  readonly id: string
  readonly at: number
  status: CaptureStatus
  readonly refunds: Refund[]
}

/** An order as PayPal keeps it. */
export interface Order {
  readonly id: string
  /** What was asked for, as it came. */
  readonly asked: Json
  readonly unit: Json & { readonly amount: Money; readonly custom_id?: string; readonly invoice_id?: string }
  status: OrderStatus
  updatedAt: number
  captures: Capture[]
}

/** An issue of PayPal's, in the form of its errors. */
export class Issue extends Error {
  constructor(
    readonly issue: string,
    message: string,
    readonly status = 422,
  ) {
    super(message)
  }
}

const WHOLE = ['HUF', 'JPY', 'TWD']
const FEE_PERCENT = 4
const LETTERS = 17

const newId = () => crypto.randomUUID().replaceAll('-', '').slice(0, LETTERS).toUpperCase()
/** In hundredths, whatever the currency: these books only compare. */
const hundredths = ({ value }: Money) => Math.round(Number(value) * 100)
const money = ({ currency_code }: Money, amount: number): Money => ({
  currency_code,
  value: WHOLE.includes(currency_code) ? String(Math.round(amount / 100)) : (amount / 100).toFixed(2),
})
const standing = (refunds: readonly Refund[]) => refunds.filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
const given = (refunds: readonly Refund[]) => standing(refunds).reduce((sum, { amount }) => sum + hundredths(amount), 0)

function assertMoney(amount: unknown): asserts amount is Money {
  const { currency_code, value } = (amount ?? {}) as Partial<Money>
  if (typeof currency_code !== 'string' || !/^[A-Z]{3}$/.test(currency_code) || currency_code === 'XTS')
    throw new Issue('CURRENCY_NOT_SUPPORTED', 'Currency code is not currently supported.')
  // A number is no text, and a text of too many decimals no amount.
  if (typeof value !== 'string' || !/^\d+(\.\d{1,2})?$/.test(value))
    throw new Issue('INVALID_PARAMETER_SYNTAX', 'The value is no amount.', 400)
  if (WHOLE.includes(currency_code) && value.includes('.')) throw new Issue('DECIMALS_NOT_SUPPORTED', 'Currency does not support decimals.')
  if (Number(value) <= 0) throw new Issue('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.')
}

/** Nobody's real one. */
const LEAST = 50

export function createBooks(now: () => number) {
  const kept = new Map<string, Order>()

  function create(asked: Json): Order {
    const [unit] = (asked.purchase_units ?? []) as Order['unit'][]
    if (asked.intent !== 'CAPTURE' || !unit) throw new Issue('MISSING_REQUIRED_PARAMETER', 'A required parameter is missing.', 400)
    assertMoney(unit.amount)
    if (hundredths(unit.amount) < LEAST) throw new Issue('AMOUNT_TOO_SMALL', 'The amount is below what is taken.')
    if (String(unit.description ?? '').length > 127) throw new Issue('INVALID_STRING_LENGTH', 'The description is too long.', 400)
    const hasSource = asked.payment_source !== undefined
    const one: Order = { id: newId(), asked, unit, status: hasSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED', updatedAt: now(), captures: [] }
    kept.set(one.id, one)
    return one
  }

  function get(id: string): Order {
    const one = kept.get(id)
    if (!one) throw new Issue('INVALID_RESOURCE_ID', 'Specified resource ID does not exist.', 404)
    return one
  }

  /** What a payer does on the page: nothing is paid by that. */
  const approve = (id: string): Order => Object.assign(get(id), { status: 'APPROVED', updatedAt: now() })
  const cancel = (id: string): Order => Object.assign(get(id), { status: 'VOIDED', updatedAt: now() })

  function capture(id: string, status: CaptureStatus): Order {
    const one = get(id)
    if (one.status === 'COMPLETED') throw new Issue('ORDER_ALREADY_CAPTURED', 'Order already captured.')
    if (one.status !== 'APPROVED') throw new Issue('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.')
    const { invoice_id } = one.unit
    const isTwice = [...kept.values()].some((other) => other !== one && other.captures.length > 0 && other.unit.invoice_id === invoice_id)
    if (invoice_id !== undefined && isTwice) throw new Issue('DUPLICATE_INVOICE_ID', 'Duplicate Invoice ID detected.')
    one.captures.push({ id: newId(), at: now(), status, refunds: [] })
    return Object.assign(one, { status: 'COMPLETED', updatedAt: now() })
  }

  function captured(captureId: string): { order: Order; capture: Capture } {
    for (const order of kept.values()) {
      const capture = order.captures.find(({ id }) => id === captureId)
      if (capture) return { order, capture }
    }
    throw new Issue('INVALID_RESOURCE_ID', 'Specified resource ID does not exist.', 404)
  }

  function refund(captureId: string, asked: Json, status: RefundStatus): { order: Order; capture: Capture; refund: Refund } {
    const { order, capture } = captured(captureId)
    if (capture.status !== 'COMPLETED') throw new Issue('CAPTURE_NOT_COMPLETED', 'The capture is not completed.')
    const left = hundredths(order.unit.amount) - given(capture.refunds)
    if (left === 0) throw new Issue('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.')
    const amount = asked.amount ?? money(order.unit.amount, left)
    assertMoney(amount)
    if (hundredths(amount) > left)
      throw new Issue('REFUND_AMOUNT_EXCEEDED', 'The refund amount must be less than or equal to what is left.')
    const invoiceId = typeof asked.invoice_id === 'string' ? asked.invoice_id : null
    const refund: Refund = { id: newId(), amount, invoiceId, at: now(), status }
    capture.refunds.push(refund)
    return { order, capture, refund }
  }

  return { create, get, approve, cancel, capture, captured, refund, all: () => [...kept.values()] }
}
export type Books = ReturnType<typeof createBooks>

const API = 'https://api.sandbox.paypal.com'
const link = (rel: string, path: string) => ({ rel, href: `${API}${path}`, method: 'GET' })
const time = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

export function shownOrder(one: Order, payerRel = 'payer-action'): Json {
  const { id, unit, status, captures, updatedAt } = one
  const refunds = captures.flatMap((capture) => capture.refunds.map((refund) => shownRefund(capture, refund)))
  const payments = { captures: captures.map((capture) => shownCapture(one, capture)), ...(refunds.length > 0 && { refunds }) }
  const isOpen = status === 'PAYER_ACTION_REQUIRED' || status === 'CREATED'
  return {
    id,
    intent: 'CAPTURE',
    status,
    payment_source: { paypal: {} },
    purchase_units: [{ ...unit, ...(captures.length > 0 && { payments }) }],
    update_time: time(updatedAt),
    links: [
      link('self', `/v2/checkout/orders/${id}`),
      ...(isOpen ? [{ rel: payerRel, href: `https://www.sandbox.paypal.com/checkoutnow?token=${id}`, method: 'GET' }] : []),
    ],
  }
}

export function shownCapture(one: Order, { id, at, status, refunds }: Capture): Json {
  const { amount, custom_id, invoice_id } = one.unit
  const back = given(refunds)
  const refunded = back === 0 ? status : back < hundredths(amount) ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
  return {
    id,
    status: refunded,
    amount,
    custom_id,
    invoice_id,
    final_capture: true,
    ...(status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    ...(status === 'COMPLETED' && { seller_receivable_breakdown: { gross_amount: amount, paypal_fee: money(amount, feeOf(one)) } }),
    supplementary_data: { related_ids: { order_id: one.id } },
    create_time: time(at),
    links: [link('self', `/v2/payments/captures/${id}`), link('up', `/v2/checkout/orders/${one.id}`)],
  }
}

/** In hundredths. */
export const feeOf = ({ unit }: Order): number => Math.round((hundredths(unit.amount) * FEE_PERCENT) / 100)

/** It names the capture that it is of, and no order. */
export const shownRefund = (capture: Capture, { id, amount, invoiceId, at, status }: Refund): Json => ({
  id,
  status,
  amount,
  ...(invoiceId !== null && { invoice_id: invoiceId }),
  ...(status === 'FAILED' && { status_details: { reason: 'ECHECK' } }),
  create_time: time(at),
  links: [link('self', `/v2/payments/refunds/${id}`), link('up', `/v2/payments/captures/${capture.id}`)],
})
