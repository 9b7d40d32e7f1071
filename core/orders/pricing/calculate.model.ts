import { type Static, Type as T } from '@sinclair/typebox'
import { Warning } from '../../../plugins/carrier/model.ts'
import { exact, Id, Money, Nullable, named, Text } from '../../http/schema.ts'
import { NewDestination, NewItem, OrderItem } from '../orders.model.ts'

const { country, stateCode, deliveryType } = NewDestination.properties

/** Request that prices an order without creating it. */
export const OrderCalculation = named(
  'OrderCalculation',
  exact({
    storeId: Id,
    items: T.Array(NewItem, { minItems: 1, maxItems: 200 }),
    destination: exact(
      { country, stateCode, cityName: T.Optional(Text(120)), address: T.Optional(Text(500)), deliveryType },
      { description: 'as in an order; delivery is priced by the state and the type' },
    ),
    promoCode: T.Optional(Nullable(Text(80))),
    orderId: T.Optional({
      ...Id,
      description: 'the order to change: its own goods count as available, and its promotion as promised. Not for storefronts',
    }),
  }),
)
/** Type of {@link OrderCalculation}. */
export type OrderCalculation = Static<typeof OrderCalculation>

/** Prices of an order that was not created. */
export const CalculatedOrder = named(
  'CalculatedOrder',
  T.Object({
    currencyCode: T.String(),
    items: T.Array(OrderItem),
    totals: T.Object({ subtotal: Money, delivery: Money, discount: Money, total: Money }),
    promoCode: Nullable(T.String()),
    warnings: T.Optional(T.Array(Warning, { description: 'not shown to customers' })),
    destination: T.Object({
      country: T.String(),
      stateCode: T.String({ description: 'code of the catalogue when the state is recognised, else the text as given' }),
      stateName: Nullable(T.String()),
      currentStateCode: T.Optional(
        T.String({ description: 'code of the state under the current borders, when carriers use an older one' }),
      ),
      cityCode: Nullable(T.String()),
      cityName: T.String(),
    }),
  }),
)
/** Type of {@link CalculatedOrder}. */
export type CalculatedOrder = Static<typeof CalculatedOrder>
