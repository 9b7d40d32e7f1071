import { Type as T } from '@sinclair/typebox'
import { defineList, type ListQuery } from '../http/resource/list.ts'
import { Id, oneOf, Text, Timestamp } from '../http/schema.ts'
import { orderSources } from './orders.model.ts'
import { orderPaymentStatuses, orderStatuses } from './statuses.ts'

/** What stands for nobody where a person may be named. */
export const NOBODY = 'none'

const anyStatus = `(${orderStatuses.join('|')})`

export const orderList = defineList({
  mayBeOld: true,
  sorts: { updatedAt: 'o.updated_at', total: 'o.total' },
  filters: {
    status: T.String({
      pattern: `^${anyStatus}(,${anyStatus}){0,${orderStatuses.length - 1}}$`,
      description: `one of ${orderStatuses.join(', ')}; or several, with a comma between`,
    }),
    phone: T.String({ maxLength: 100, description: "either of the customer's, as people of the store's country write it" }),
    assignedTo: { ...Id, description: `a person's id; \`${NOBODY}\`: with nobody` },
    promoCode: T.String({ maxLength: 80 }),
    from: { ...Timestamp, description: 'taken then or later' },
    to: { ...Timestamp, description: 'taken before then' },
    stateCode: {
      ...Text(120, 1),
      description: 'of the destination, by its code or name; a state since borders were drawn anew finds the orders to its cities',
    },
    source: oneOf(orderSources),
    connectorId: { ...Id, description: 'that this connector sent' },
    externalId: T.String({ maxLength: 200, description: "the order's id in its connected shop" }),
    productId: { ...Id, description: 'with a line of this product' },
    paymentStatus: oneOf(orderPaymentStatuses),
  },
  search:
    "the reference; words of the customer's name, or parts of them: accents, hamza, ta marbuta and vowel signs do not count, one or two letters: how a word begins; or a phone number of his, however it is written, or its last four digits or more",
  extraParameters: { storeId: T.Optional(Id) },
})
export type AskedOrders = ListQuery<typeof orderList.filters>
