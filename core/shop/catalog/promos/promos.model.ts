import { type Static, Type as T } from '@sinclair/typebox'
import { deliveryTypes } from '../../../../plugins/carrier/model.ts'
import { Id, Money, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'
import { promoKinds } from '../pricing/promotion.ts'

/** Spaces and direction marks that come along with what is pasted. */
const AROUND = '[\\s\\u00AD\\u061C\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]{0,10}'
const Code = T.String({
  pattern: `^${AROUND}[A-Za-z0-9_-]{1,40}${AROUND}$`,
  description: 'letters, digits, - and _; small and capital ones are the same, and spaces around it do not count',
})
const some = <S extends Parameters<typeof T.Array>[0]>(of: S, maxItems: number, description: string) =>
  T.Optional(T.Array(of, { maxItems, uniqueItems: true, description: `${description}; empty for all` }))
const most = (description: string) => T.Optional(Nullable(T.Integer({ minimum: 1, maximum: 1e9, description })))

export const Promo = named(
  'Promo',
  T.Object({
    code: Code,
    kind: oneOf(promoKinds, { description: '`percent` or a `fixed` amount off the goods, or `free_shipping`' }),
    value: T.Number({ minimum: 0, maximum: 1e9, 'x-decimals': 4, description: 'percent, or an amount; 0 for free_shipping' }),
    minimumSubtotal: T.Optional(Money),
    maximumDiscount: T.Optional(Nullable(Money, { description: 'what it takes off at most' })),
    productIds: some(Id, 100, 'taken off these products alone'),
    categoryIds: some(Id, 100, 'taken off products of these categories alone'),
    stateCodes: some(Text(16, 1), 300, 'for orders to these states'),
    deliveryTypes: some(oneOf(deliveryTypes), 3, 'for these kinds of delivery'),
    firstOrderOnly: T.Optional(T.Boolean({ description: 'for phone numbers that have no other order in the store that stands' })),
    usageLimit: most('orders that may use it'),
    perCustomerLimit: most('orders of one phone number that may use it'),
    startsAt: T.Optional(Nullable(Timestamp)),
    endsAt: T.Optional(Nullable(Timestamp)),
    enabled: T.Optional(T.Boolean()),
  }),
)
export type PromoRow = Required<Static<typeof Promo>> & { readonly id: string }
export const Uses = T.Integer({ description: 'orders that use it now; one that was cancelled before it was sent does not count' })
