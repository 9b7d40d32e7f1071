import { HOUR_MS } from '../../../../core/lib/durations.ts'
import { openEdits } from '../edits.ts'

export interface SallaOrder {
  /** Unlike its id never that of an order of another shop. */
  readonly key: string
  readonly id: number
  readonly reference: number
  slug: string
  readonly created: number
  updated: number
  /** Prices have no tax in them, and it comes on top. */
  readonly taxed: boolean
  /** As apps of before August 2024 are told it: all at once. */
  readonly whole: boolean
}

let clock = Date.parse('2026-11-20T10:00:00Z')

export function placeOrder(orders: Map<number, SallaOrder>, change: Partial<SallaOrder>): SallaOrder {
  clock += 1000
  const at = orders.size + 1
  const order: SallaOrder = {
    key: crypto.randomUUID(),
    id: 1_017_120_000 + at,
    reference: 40_497_000 + at,
    slug: 'under_review',
    created: clock,
    updated: clock,
    taxed: at % 2 === 0,
    whole: at % 3 === 0,
    ...change,
  }
  orders.set(order.id, order)
  return order
}

export function touch(order: SallaOrder, slug: string): void {
  clock += 60_000
  Object.assign(order, { slug, updated: clock })
}

/** As PHP writes a moment of Riyadh, which is three hours ahead. */
const moment = (ms: number) => ({
  date: `${new Date(ms + 3 * HOUR_MS).toISOString().slice(0, 19).replace('T', ' ')}.000000`,
  timezone_type: 3,
  timezone: 'Asia/Riyadh',
})
const dinars = (amount: number) => ({ amount, currency: 'DZD' })
const hundredths = (amount: number) => Math.round(amount * 100) / 100

const PIECES = 2
const DELIVERY = 400

function amountsOf({ taxed }: SallaOrder) {
  const [price, percent] = taxed ? [2173.91, 15] : [2500, 0]
  const goods = hundredths(price * PIECES)
  const tax = hundredths(((goods + DELIVERY) * percent) / 100)
  return {
    price,
    percent: percent.toFixed(2),
    goods,
    tax,
    goodsTax: hundredths((goods * percent) / 100),
    total: hundredths(goods + DELIVERY + tax),
  }
}

export const totalOf = (order: SallaOrder) => String(amountsOf(order).total)

const customer = {
  id: 225167971,
  first_name: 'Lina',
  last_name: 'Saadi',
  mobile: 550123456,
  mobile_code: '+213',
  email: 'lina@example.com',
  city: 'Oran',
  country: 'الجزائر',
  country_code: 'DZ',
  location: '',
}
const receiver = { name: 'Lina Saadi', email: '', phone: '213550123456' }

export const edits = openEdits({
  quantity: ['items.0.quantity', 'details.items.0.quantity'],
  name: ['items.0.name', 'details.items.0.name'],
  unitPrice: ['items.0.amounts.price_without_tax.amount', 'details.items.0.amounts.price_without_tax.amount'],
  sku: ['items.0.sku', 'details.items.0.sku'],
  variant: ['items.0.options', 'details.items.0.options'],
  lines: ['items'],
  total: ['details.amounts.total.amount'],
  currency: ['details.currency'],
  phoneAlt: ['details.customer.mobile'],
  email: ['details.customer.email'],
  customerName: ['shipments.1.ship_to.name', 'details.receiver.name'],
})

/** An order in each of the ways in which it is written. */
export const written = (order: SallaOrder) => edits.apply(order.key, whole(order))

function whole(order: SallaOrder) {
  const { price, percent, goods, tax, goodsTax, total } = amountsOf(order)
  const status = { id: 566146469, name: 'بإنتظار المراجعة', slug: order.slug, customized: { id: 986688842, name: 'طلبك عندنا' } }
  const said = {
    id: order.id,
    reference_id: order.reference,
    date: moment(order.created),
    status,
    can_cancel: false,
    payment_method: 'cod',
  }
  const items = [
    {
      id: 70815337,
      name: 'Basket',
      sku: 'B',
      quantity: PIECES,
      currency: 'DZD',
      amounts: {
        price_without_tax: dinars(price),
        total_discount: dinars(0),
        tax: { percent, amount: dinars(goodsTax) },
        total: dinars(hundredths(goods + goodsTax)),
      },
      notes: '',
      options: [
        { id: 1, name: 'Colour', type: 'radio', value: { id: 3, name: 'Red', price: dinars(0) } },
        { id: 2, name: 'Size', type: 'checkbox', value: [{ id: 4, name: 'L', price: dinars(0) }] },
      ],
    },
  ]
  const to = { type: 'address', ...receiver, country: 'الجزائر', city: 'Bab Ezzouar', region: { id: 1, name: 'Alger', code: 'DZ-16' } }
  const shipments = [
    { id: 2, type: 'return', status: 'created', ship_to: { name: 'The shop', phone: '1', city: 'Oran' } },
    {
      id: 1,
      type: 'shipment',
      status: 'in_progress',
      tracking_number: null,
      ship_to: { ...to, address_line: '3 rue A', postal_code: '16042' },
    },
  ]
  const address = { country: 'DZ', country_code: 'DZ', city: 'Bab Ezzouar', shipping_address: 'Alger, 3 rue A', postal_code: '16042' }
  const details = {
    ...said,
    updated_at: moment(order.updated),
    currency: 'DZD',
    amounts: {
      sub_total: dinars(goods),
      shipping_cost: dinars(DELIVERY),
      cash_on_delivery: dinars(0),
      tax: { percent, amount: dinars(tax) },
      discounts: [],
      total: dinars(total),
    },
    is_pending_payment: false,
    receiver,
    customer,
    ...(order.whole && { items, shipping: { id: 1935030040, company: 'Atlas', receiver, address } }),
  }
  const listed = { ...said, total: dinars(total), draft: false, items: [{ name: 'Basket', quantity: PIECES }], customer }
  return { listed, details, items, shipments }
}
