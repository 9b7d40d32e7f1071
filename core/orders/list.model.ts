import { Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { deliveryTypes, parcelStatuses } from '../../plugins/carrier/model.ts'
import { anyOf } from '../../plugins/schema.ts'
import { defineList, type ListQuery } from '../http/resource/list.ts'
import { Id, MONEY_MAX, oneOf, Text, Timestamp } from '../http/schema.ts'
import { orderSources } from './orders.model.ts'
import { orderPaymentStatuses, orderStatuses } from './statuses.ts'

/** Filter value that selects the orders assigned to no one. */
export const UNASSIGNED = 'none'

/** Filter value that selects the orders without a parcel. */
export const NO_PARCEL = 'none'

/** Most values of one filter. */
const VALUES_MAX = 20

/** Schema of one or several texts, separated by commas. */
const texts = (each: string, lengthMax: number, description: string) =>
  T.String({
    pattern: `^${each}(,${each}){0,${VALUES_MAX - 1}}$`,
    maxLength: VALUES_MAX * (lengthMax + 1),
    description: `${description}; or up to ${VALUES_MAX}, separated by commas`,
  })

const Amount = (description: string) => t.Number({ minimum: 0, maximum: MONEY_MAX, description })

/** Filters, sort fields and search of the list of orders. */
export const orderList = defineList({
  mayBeOld: true,
  sorts: { updatedAt: 'o.updated_at', total: 'o.total' },
  filters: {
    status: anyOf(orderStatuses),
    phone: T.String({ maxLength: 100, description: "either phone number of the customer, as written in the store's country" }),
    assignedTo: { ...Id, description: `a user's id; \`${UNASSIGNED}\`: orders assigned to no one` },
    promoCode: T.String({ maxLength: 80 }),
    from: { ...Timestamp, description: 'created at this time or later' },
    to: { ...Timestamp, description: 'created before this time' },
    stateCode: {
      ...Text(120, 1),
      description: 'state of the destination, by code or name; a state created by new borders also finds the orders to its cities',
    },
    cityCode: texts('[^,\\s][^,]*', 120, 'commune of the destination, by code or name'),
    deliveryType: anyOf(deliveryTypes),
    carrier: texts('[a-z0-9][a-z0-9-]*', 60, 'slug of the carrier of the newest parcel that was not cancelled'),
    parcelStatus: {
      ...anyOf([...parcelStatuses.filter((status) => status !== 'cancelled'), NO_PARCEL]),
      description: `status of that parcel, or several, separated by commas; \`${NO_PARCEL}\`: orders without a parcel`,
    },
    printed: oneOf(['yes', 'no'], { description: 'whether the label of that parcel was printed; orders without a parcel match neither' }),
    tag: texts('[^,\\s][^,]*', 40, 'with this tag'),
    minTotal: Amount('total of at least this amount'),
    maxTotal: Amount('total of at most this amount'),
    waitingSince: {
      ...Timestamp,
      description: 'with no carrier yet, and in its status since this time or longer: pending, confirmed, unreachable or postponed',
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
