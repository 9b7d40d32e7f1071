import { type Static, Type as T } from '@sinclair/typebox'
import { deliveryTypes } from '../../../../plugins/carrier/model.ts'
import { Id, Money, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'
import { promoKinds } from '../pricing/promotion.ts'

/** Pattern of spaces and direction marks that pasted text may have around a code. */
const SURROUNDING_SPACE = '[\\s\\u00AD\\u061C\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]{0,10}'
const Code = T.String({
  pattern: `^${SURROUNDING_SPACE}[A-Za-z0-9_-]{1,40}${SURROUNDING_SPACE}$`,
  description: 'letters, digits, - and _; case and spaces around it are ignored',
})
const optionalList = <S extends Parameters<typeof T.Array>[0]>(of: S, maxItems: number, description: string) =>
  T.Optional(T.Array(of, { maxItems, uniqueItems: true, description: `${description}; empty for all` }))
const optionalLimit = (description: string) => T.Optional(Nullable(T.Integer({ minimum: 1, maximum: 1e9, description })))

/** Fields of a promotion that a client may write. */
export const Promo = named(
  'Promo',
  T.Object({
    code: Code,
    kind: oneOf(promoKinds, { description: 'what the customer saves' }),
    value: T.Number({ minimum: 0, maximum: 1e9, 'x-decimals': 4, description: 'percent, or an amount; 0 for free_shipping' }),
    minimumSubtotal: T.Optional(Money),
    maximumDiscount: T.Optional(Nullable(Money, { description: 'highest discount' })),
    productIds: optionalList(Id, 100, 'applies to these products only'),
    categoryIds: optionalList(Id, 100, 'applies to products of these categories only'),
    stateCodes: optionalList(Text(16, 1), 300, 'for orders to these states'),
    deliveryTypes: optionalList(oneOf(deliveryTypes), 3, 'for these kinds of delivery'),
    firstOrderOnly: T.Optional(
      T.Boolean({ description: 'only for phone numbers without another order in the store that is not cancelled' }),
    ),
    usageLimit: optionalLimit('orders that may use it'),
    perCustomerLimit: optionalLimit('orders of one phone number that may use it'),
    startsAt: T.Optional(Nullable(Timestamp)),
    endsAt: T.Optional(Nullable(Timestamp)),
    enabled: T.Optional(T.Boolean()),
  }),
)
/** Row of a promotion. */
export type PromoRow = Required<Static<typeof Promo>> & { readonly id: string }
/** Count of the orders that use a promotion. */
export const PromoUses = T.Integer({ description: 'orders that use it now; one that was cancelled before it was sent does not count' })
