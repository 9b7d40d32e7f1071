import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Money, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { PHONE_END_MIN } from '../search-text.ts'
import { orderStatuses } from '../statuses.ts'

/** Orders of callers that a look-up returns at most. */
export const CALLERS_MAX = 20

/** Query for the orders of a customer who calls. */
export const CallerQuery = T.Object({
  storeId: T.Optional(Id),
  phone: T.String({
    maxLength: 40,
    pattern: `^\\s*\\+?([\\s().\\-/]*\\d){${PHONE_END_MIN},20}[\\s().\\-/]*$`,
    description: `a phone number in any notation, or at least its last ${PHONE_END_MIN} digits`,
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
