import { Type as T } from '@sinclair/typebox'
import { defineList, type ListQuery } from '../http/resource/list.ts'
import { Id, oneOf, Text, Timestamp } from '../http/schema.ts'
import { orderSources } from './orders.model.ts'
import { orderPaymentStatuses, orderStatuses } from './statuses.ts'

/** Filter value that selects the orders assigned to no one. */
export const UNASSIGNED = 'none'

const anyStatus = `(${orderStatuses.join('|')})`

/** Filters, sort fields and search of the list of orders. */
export const orderList = defineList({
  mayBeOld: true,
  sorts: { updatedAt: 'o.updated_at', total: 'o.total' },
  filters: {
    status: T.String({
      pattern: `^${anyStatus}(,${anyStatus}){0,${orderStatuses.length - 1}}$`,
      description: `one of ${orderStatuses.join(', ')}; or several, separated by commas`,
    }),
    phone: T.String({ maxLength: 100, description: "either phone number of the customer, as written in the store's country" }),
    assignedTo: { ...Id, description: `a user's id; \`${UNASSIGNED}\`: orders assigned to no one` },
    promoCode: T.String({ maxLength: 80 }),
    from: { ...Timestamp, description: 'created at this time or later' },
    to: { ...Timestamp, description: 'created before this time' },
    stateCode: {
      ...Text(120, 1),
      description: 'state of the destination, by code or name; a state created by new borders also finds the orders to its cities',
    },
    source: oneOf(orderSources),
    connectorId: { ...Id, description: 'imported by this connector' },
    externalId: T.String({ maxLength: 200, description: "the order's id in its connected shop" }),
    productId: { ...Id, description: 'with a line of this product' },
    paymentStatus: oneOf(orderPaymentStatuses),
  },
  search:
    "the reference; words of the customer's name, or parts of them (ignoring accents, hamza, ta marbuta and vowel signs; one or two letters match the start of a word); or a phone number of the customer in any notation, or at least its last four digits",
  extraParameters: { storeId: T.Optional(Id) },
})
/** Validated query of the list of orders. */
export type OrderListRequest = ListQuery<typeof orderList.filters>
