import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { smallestUnitOfDecimals } from '../../../core/lib/money/currency.ts'
import { type Decimal, decimal, decimalNumber } from '../../../core/lib/money/decimal.ts'
import { allocatePrice } from '../../../core/shop/catalog/pricing/allocate-price.ts'
import { priceOrder } from '../../../core/shop/catalog/pricing/price.ts'
import type { RequestedItem, Sellable } from '../../../core/shop/catalog/pricing/priced-lines.ts'
import type { PromoOffer } from '../../../core/shop/catalog/pricing/promotion.ts'

const variant = (id: string, more: object = {}) => ({
  id,
  name: id,
  sku: null,
  price: null,
  compareAtPrice: null,
  cost: null,
  weightKg: null,
  options: {},
  media: [],
  inventoryKey: id,
  ...more,
})
const sellable = (id: string, more: Partial<Sellable> = {}): Sellable => ({
  id,
  name: id,
  sku: null,
  status: 'active',
  price: '100',
  cost: null,
  stockKeeping: true,
  inventoryKey: id,
  categoryId: null,
  variants: [],
  tiers: [],
  bundles: [],
  shipping: null,
  ...more,
})

const tiered = {
  tiers: [
    { from: 2, price: 90 },
    { from: 5, price: 80.55 },
  ],
}
const products = [
  sellable('plain', { price: '33.33', categoryId: 'cat_1' }),
  sellable('tiered', tiered),
  sellable('cheap', { price: '85', ...tiered }),
  sellable('sized', {
    ...tiered,
    variants: [variant('S'), variant('L', { price: 120 }), variant('XS', { price: 70, cost: 20 })],
    cost: '40',
  }),
  sellable('draft', { status: 'draft' }),
  sellable('light', { shipping: { home: 0, byState: { '31': { home: 150 } } } }),
  sellable('heavy', { shipping: { home: 900 } }),
  sellable('set', {
    price: '60',
    bundles: [
      { id: 'duo', name: 'Duo', price: 100, quantity: 1, items: [{ productId: 'plain', variantId: null, quantity: 2 }] },
      { id: 'gone', name: 'Gone', price: 1, quantity: 1, items: [{ productId: 'draft', variantId: null, quantity: 1 }] },
      { id: 'free', name: 'Free', price: 0, quantity: 2, items: [{ productId: 'sized', variantId: 'L', quantity: 1 }] },
    ],
  }),
]
const delivery = { home: 400, pickup: 250, byState: { '16': { home: 300 } } }
const ask = (
  items: readonly RequestedItem[],
  offer: PromoOffer | null = null,
  destination = { stateCode: '16', deliveryType: 'home' as const },
) => priceOrder({ currency: 'DZD', items, products: new Map(products.map((each) => [each.id, each])), destination, delivery, offer })
const lines = ({ lines: all }: ReturnType<typeof priceOrder>) =>
  all.map(({ productId, unitPrice, quantity }) => [productId, unitPrice, quantity])
const item = (productId: string, quantity: number, more: object = {}) => ({ productId, quantity, ...more })

describe('what an order comes to', () => {
  const offer = (more: Partial<PromoOffer>): PromoOffer => ({ kind: 'percent', value: 10, minimumSubtotal: 0, ...more })
  const cases: readonly [
    string,
    readonly RequestedItem[],
    PromoOffer | null,
    Record<'subtotal' | 'delivery' | 'discount' | 'total', number>,
  ][] = [
    ['plain prices', [item('plain', 3)], null, { subtotal: 99.99, delivery: 300, discount: 0, total: 399.99 }],
    ['below a tier', [item('tiered', 1)], null, { subtotal: 100, delivery: 300, discount: 0, total: 400 }],
    ['at a tier', [item('tiered', 2)], null, { subtotal: 180, delivery: 300, discount: 0, total: 480 }],
    ['at the next one, for all pieces', [item('tiered', 5)], null, { subtotal: 402.75, delivery: 300, discount: 0, total: 702.75 }],
    ['a tier makes nothing dearer', [item('cheap', 2)], null, { subtotal: 170, delivery: 300, discount: 0, total: 470 }],
    [
      'pieces of all variants count for a tier',
      [item('sized', 1, { variantId: 'S' }), item('sized', 1, { variantId: 'L' }), item('sized', 1, { variantId: 'XS' })],
      null,
      { subtotal: 250, delivery: 300, discount: 0, total: 550 },
    ],
    [
      'a percentage is rounded half away from zero',
      [item('plain', 1)],
      offer({ value: 15 }),
      { subtotal: 33.33, delivery: 300, discount: 5, total: 328.33 },
    ],
    ['and no earlier than that', [item('plain', 3)], offer({ value: 50 }), { subtotal: 99.99, delivery: 300, discount: 50, total: 349.99 }],
    [
      'an amount takes no more than there is',
      [item('plain', 1)],
      offer({ kind: 'fixed', value: 500 }),
      { subtotal: 33.33, delivery: 300, discount: 33.33, total: 300 },
    ],
    [
      'at most so much',
      [item('tiered', 5)],
      offer({ value: 50, maximumDiscount: 20 }),
      { subtotal: 402.75, delivery: 300, discount: 20, total: 682.75 },
    ],
    [
      'free delivery',
      [item('plain', 1)],
      offer({ kind: 'free_shipping', value: 0 }),
      { subtotal: 33.33, delivery: 300, discount: 300, total: 33.33 },
    ],
    [
      'of one product alone',
      [item('plain', 1), item('tiered', 1)],
      offer({ productIds: ['tiered'] }),
      { subtotal: 133.33, delivery: 300, discount: 10, total: 423.33 },
    ],
    [
      'of one category alone',
      [item('plain', 1), item('tiered', 1)],
      offer({ categoryIds: ['cat_1'] }),
      { subtotal: 133.33, delivery: 300, discount: 3.33, total: 430 },
    ],
    ['the product says what delivery costs', [item('light', 1)], null, { subtotal: 100, delivery: 0, discount: 0, total: 100 }],
    [
      'the dearest product of an order does',
      [item('light', 1), item('heavy', 1), item('plain', 1)],
      null,
      { subtotal: 233.33, delivery: 900, discount: 0, total: 1133.33 },
    ],
    ['a bundle at its price', [item('set', 1, { offerId: 'duo' })], null, { subtotal: 100, delivery: 300, discount: 0, total: 400 }],
    ['three bundles', [item('set', 3, { offerId: 'duo' })], null, { subtotal: 300, delivery: 300, discount: 0, total: 600 }],
    ['a bundle for nothing', [item('set', 1, { offerId: 'free' })], null, { subtotal: 0, delivery: 300, discount: 0, total: 300 }],
  ]
  test.each(cases)('%s', (_, items, promo, totals) => {
    const { subtotal, delivery: toPay, discount, total } = ask(items, promo)
    const numbers = { subtotal, delivery: toPay, discount, total }
    expect(Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, decimalNumber(value as Decimal)]))).toEqual(totals)
  })

  test('elsewhere, and to a pick-up, delivery costs what it costs there', () => {
    const to = (stateCode: string, deliveryType: 'home' | 'pickup', id = 'plain') =>
      decimalNumber(
        priceOrder({
          currency: 'DZD',
          items: [item(id, 1)],
          products: new Map(products.map((each) => [each.id, each])),
          destination: { stateCode, deliveryType },
          delivery,
          offer: null,
        }).delivery,
      )
    expect([to('31', 'home'), to('16', 'pickup'), to('31', 'home', 'light'), to('31', 'pickup', 'light')]).toEqual([400, 250, 150, 250])
  })

  test('a bundle is the lines of what is in it, each with the stock and the cost of its own', () => {
    expect(lines(ask([item('set', 2, { offerId: 'duo' })]))).toEqual([
      ['set', '47.37', 2],
      ['plain', '26.31', 2],
      ['plain', '26.32', 2],
    ])
    const sized = ask([item('sized', 1, { variantId: 'XS' }), item('sized', 1, { variantId: 'S' })]).lines
    expect(sized).toMatchObject([
      { variantId: 'XS', unitCost: '20', unitPrice: '70', inventoryKey: 'XS', name: 'sized – XS', offerId: null },
      { variantId: 'S', unitCost: '40', unitPrice: '90' },
    ])
  })

  const refused: readonly [string, RequestedItem, string][] = [
    ['what is not on sale', item('draft', 1), 'is not on sale'],
    ['what is not there', item('nothing', 1), 'is not on sale'],
    ['a product without saying which variant', item('sized', 1), 'Name a variant'],
    ['a variant that is not there', item('sized', 1, { variantId: 'XXL' }), 'has no variant'],
    ['a bundle that is not there', item('plain', 1, { offerId: 'duo' }), 'has no offer'],
    ['a bundle with something that is not on sale', item('set', 1, { offerId: 'gone' }), 'is not on sale'],
  ]
  test.each(refused)('refuses %s', (_, one, why) => {
    expect(() => ask([item('plain', 1), one])).toThrow(why)
  })

  const unmet: readonly [string, Partial<PromoOffer>, string][] = [
    ['too small a subtotal', { minimumSubtotal: 50 }, 'at least 50'],
    ['another state', { stateCodes: ['31'] }, 'not for that state'],
    ['another kind of delivery', { deliveryTypes: ['pickup'] }, 'kind of delivery'],
    ['other products', { productIds: ['tiered'] }, 'other products'],
  ]
  test.each(unmet)('a code is refused for %s, and a promise gives nothing then', (_, terms, why) => {
    expect(() => ask([item('plain', 1)], offer(terms))).toThrow(why)
    const given = priceOrder({
      currency: 'DZD',
      items: [item('plain', 1)],
      products: new Map(products.map((each) => [each.id, each])),
      destination: { stateCode: '16', deliveryType: 'home' },
      delivery,
      offer: offer(terms),
      isPromised: true,
    })
    expect(given.discount).toBe(0n)
  })
})

test('whatever is shared out adds up to the least amount of its currency, and nobody pays less than nothing', () => {
  const part = fc.record({ worth: fc.integer({ min: 0, max: 1e7 }).map((n) => decimal(n / 100)), pieces: fc.integer({ min: 1, max: 50 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e8 }),
      fc.constantFrom(0, 2, 3),
      fc.array(part, { minLength: 1, maxLength: 8 }),
      (least, decimals, parts) => {
        const [step, price] = [smallestUnitOfDecimals(decimals), BigInt(least) * smallestUnitOfDecimals(decimals)]
        const shared = allocatePrice(price, step, parts)
        const sum = shared.flat().reduce((all, { pieces, unitPrice: each }) => all + each * BigInt(pieces), 0n)
        expect(sum).toBe(price)
        expect(shared.flat().every(({ unitPrice: each }) => each % step === 0n)).toBe(true)
        expect(shared.map((pieces) => pieces.reduce((all, one) => all + one.pieces, 0))).toEqual(parts.map(({ pieces }) => pieces))
        expect(shared.flat().every(({ unitPrice: each }) => each >= 0n)).toBe(true)
      },
    ),
    { seed: 20_261_123, numRuns: 300 },
  )
})
