import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Money, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { orderStatuses } from '../statuses.ts'

/** Fewest digits of a phone number that callers are looked up by. */
export const DIGITS_MIN = 4
/** Orders of callers that a look-up returns at most. */
export const CALLERS_MAX = 20

/** Query for the orders of a customer who calls. */
export const CallerQuery = T.Object({
  storeId: T.Optional(Id),
  phone: T.String({
    maxLength: 40,
    pattern: '^\\s*\\+?([\\s().\\-/]*\\d){4,20}[\\s().\\-/]*$',
    description: `a phone number in any notation, or at least its last ${DIGITS_MIN} digits`,
  }),
})

/** Order of a customer who calls. */
export const CallerOrder = named(
  'CallerOrder',
  T.Object({
    id: Id,
    reference: T.String(),
    status: oneOf(orderStatuses),
    customerName: T.String(),
    customerPhone: T.String(),
    customerPhoneAlt: Nullable(T.String()),
    total: Money,
    createdAt: Timestamp,
  }),
)
/** Type of {@link CallerOrder}. */
export type CallerOrder = Static<typeof CallerOrder>
