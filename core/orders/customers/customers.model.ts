import { type Static, Type as T } from '@sinclair/typebox'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, Timestamp } from '../../http/schema.ts'
import { DeliveryRisk } from './risk.model.ts'

/** Customer of a store as the API shows it. */
export const Customer = named(
  'Customer',
  T.Object({
    id: Id,
    storeId: Id,
    name: T.String(),
    phone: T.String({ description: 'E.164; identifies the customer in the store' }),
    phoneAlt: Nullable(T.String()),
    email: Nullable(T.String()),
    firstOrderId: Id,
    createdAt: Timestamp,
  }),
)
/** Type of {@link Customer}. */
export type Customer = Static<typeof Customer>

const Outcomes = T.Object(
  {
    orders: T.Integer({ description: 'all orders of the person in this store' }),
    delivered: T.Integer({ description: 'orders that the person accepted' }),
    returned: T.Integer({ description: 'orders that came back, refused or returned' }),
    returning: T.Integer({ description: 'orders that are on their way back' }),
    cancelled: T.Integer(),
    open: T.Integer({ description: 'orders under way, also those that come back' }),
    spent: T.Number({ description: "total of the delivered orders, in the store's currency" }),
    lastOrderAt: Nullable(Timestamp),
  },
  { description: 'outcomes of all orders, of every phone number of the person' },
)

/** Customer as lists show it, with the phone numbers of customers merged into it and the outcomes of its orders. */
export const CustomerProfile = named(
  'CustomerProfile',
  T.Object({
    ...Customer.properties,
    phones: T.Array(T.String(), { description: 'all numbers that orders of the person are found by; the first is `phone`' }),
    outcomes: Outcomes,
    risk: DeliveryRisk,
  }),
)
/** Type of {@link CustomerProfile}. */
export type CustomerProfile = Static<typeof CustomerProfile>

/** Filters, sort fields and search of the list of customers. */
export const customerList = defineList({
  sorts: { name: 'name' },
  filters: {
    phone: T.String({ maxLength: 40, description: "as written in the store's country" }),
    email: T.String({ maxLength: 254 }),
    from: { ...Timestamp, description: 'first order at this time or later' },
    to: { ...Timestamp, description: 'first order before this time' },
  },
  search: 'a part of the name, of a phone number or of the e-mail address; ignoring accents',
})
/** Validated query of the list of customers. */
export type CustomerListRequest = ListQuery<typeof customerList.filters>

/** Request that merges another customer into this one. */
export const CustomerMerge = named(
  'CustomerMerge',
  exact({ customerId: { ...Id, description: 'the customer who is the same person; their orders and numbers become those of this one' } }),
)
/** Type of {@link CustomerMerge}. */
export type CustomerMerge = Static<typeof CustomerMerge>
