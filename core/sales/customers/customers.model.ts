import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, Timestamp } from '../../http/schema.ts'

export const Customer = named(
  'Customer',
  T.Object({
    id: Id,
    storeId: Id,
    name: T.String(),
    phone: T.String({ description: 'E.164; a customer of a store is known by it' }),
    phoneAlt: Nullable(T.String()),
    email: Nullable(T.String()),
    firstOrderId: Id,
    createdAt: Timestamp,
  }),
)
export type Customer = Static<typeof Customer>
