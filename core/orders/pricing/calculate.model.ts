import { type Static, Type as T } from '@sinclair/typebox'
import { Warning } from '../../../plugins/carrier/model.ts'
import { exact, Id, Money, Nullable, named, Text } from '../../http/schema.ts'
import { Item, NewDestination, NewItem } from '../orders.model.ts'

const { country, stateCode, deliveryType } = NewDestination.properties

export const Calculation = named(
  'OrderCalculation',
  exact({
    storeId: Id,
    items: T.Array(NewItem, { minItems: 1, maxItems: 200 }),
    destination: exact(
      { country, stateCode, cityName: T.Optional(Text(120)), address: T.Optional(Text(500)), deliveryType },
      { description: 'as an order says it; delivery is priced by the state and the type' },
    ),
    promoCode: T.Optional(Nullable(Text(80))),
  }),
)
export type Calculation = Static<typeof Calculation>

export const Calculated = named(
  'CalculatedOrder',
  T.Object({
    currencyCode: T.String(),
    items: T.Array(Item),
    totals: T.Object({ subtotal: Money, delivery: Money, discount: Money, total: Money }),
    promoCode: Nullable(T.String()),
    warnings: T.Optional(T.Array(Warning, { description: "for the store's own people" })),
    destination: T.Object({
      country: T.String(),
      stateCode: T.String({ description: 'of the catalogue where it was recognised, else as given' }),
      stateName: Nullable(T.String()),
      currentStateCode: T.Optional(T.String({ description: 'the state since borders were drawn anew, where carriers use another' })),
      cityCode: Nullable(T.String()),
      cityName: T.String(),
    }),
  }),
)
export type Calculated = Static<typeof Calculated>
