import { type Static, Type as T } from '@sinclair/typebox'
import { Payout, payoutStates } from '../../../plugins/carrier/cash.model.ts'
import { Id, named, oneOf, pageQuery } from '../../http/schema.ts'

/** Payout of one of a store's carriers, without its lines. */
export const CarrierPayout = named(
  'CarrierPayout',
  T.Object({ ...Payout.properties, connectionId: Id, carrier: T.String({ description: "the carrier's slug" }) }),
)
/** Type of {@link CarrierPayout}. */
export type CarrierPayout = Static<typeof CarrierPayout>

/** Query of the list of payouts of all carriers. */
export const carrierPayoutsQuery = T.Object({
  ...pageQuery,
  state: T.Optional(oneOf(payoutStates)),
  connectionId: T.Optional(Id),
})
/** Type of {@link carrierPayoutsQuery}. */
export type CarrierPayoutsQuery = Static<typeof carrierPayoutsQuery>
