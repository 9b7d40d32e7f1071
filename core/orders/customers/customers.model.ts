import { type Static, Type as T } from '@sinclair/typebox'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, Timestamp } from '../../http/schema.ts'

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

const Outcomes = T.Object(
  {
    orders: T.Integer({ description: 'all orders of the person in this store' }),
    delivered: T.Integer(),
    returned: T.Integer(),
    cancelled: T.Integer(),
    open: T.Integer({ description: 'orders that are none of these yet' }),
    spent: T.Number({ description: "total of the delivered orders, in the store's currency" }),
    lastOrderAt: Nullable(Timestamp),
  },
  { description: 'outcomes of all orders, of every phone number of the person' },
)

/** A customer as lists show them: with the numbers of customers merged into them, and what became of their orders. */
export const CustomerProfile = named(
  'CustomerProfile',
  T.Object({
    ...Customer.properties,
    phones: T.Array(T.String(), { description: 'all numbers that orders of the person are found by; the first is `phone`' }),
    outcomes: Outcomes,
  }),
)
export type CustomerProfile = Static<typeof CustomerProfile>

export const customerList = defineList({
  sorts: { name: 'name' },
  filters: {
    phone: T.String({ maxLength: 40, description: "as people of the store's country write it" }),
    email: T.String({ maxLength: 254 }),
    from: { ...Timestamp, description: 'first ordered then or later' },
    to: { ...Timestamp, description: 'first ordered before then' },
  },
  search: 'a part of the name, of a phone number or of the e-mail address; accents do not count',
})
export type AskedCustomers = ListQuery<typeof customerList.filters>

export const Merge = named(
  'CustomerMerge',
  exact({ customerId: { ...Id, description: 'the customer who is the same person; their orders and numbers become those of this one' } }),
)
export type Merge = Static<typeof Merge>
