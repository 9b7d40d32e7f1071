import { type Static, Type as T } from '@sinclair/typebox'
import { Money, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Code = T.String({ pattern: '^[A-Za-z0-9_-]{1,40}$', description: 'letters, digits, - and _' })

export const Promo = named(
  'Promo',
  T.Object({
    code: Code,
    kind: oneOf(['percent', 'amount']),
    value: T.Number({ minimum: 0, maximum: 1e9, description: 'percent of the subtotal, or an amount off it' }),
    minimumSubtotal: T.Optional(Money),
    startsAt: T.Optional(Nullable(Timestamp)),
    endsAt: T.Optional(Nullable(Timestamp)),
    enabled: T.Optional(T.Boolean()),
  }),
)
export type PromoRow = Static<typeof Promo> & { id: string }
