import { Type as T } from '@sinclair/typebox'
import type { DerivedAdapter } from '../kind.ts'
import { KIB, nothing, one, requiredMember, webhookOf } from '../member.ts'
import { exact, Maybe, oneOf, PrintableText } from '../schema.ts'
import { Amount, Checkout, CheckoutMade, Currency, ExternalId, GatewayEvent, RefundAsked, Refunded, Settlement } from './model.ts'
import { PayoutLinePage, PayoutLinesAsked, PayoutPage, PayoutsAsked } from './payouts.model.ts'

/** Version of this contract. An adapter names the version that it implements. */
export const CONTRACT = 2

/** Constants of a gateway. */
export const definition = {
  currencies: T.Array(Currency, { minItems: 1, maxItems: 200 }),
  /**
   * Unit of its amounts: `major` (dinars) or `minor` (centimes). The server converts, and rejects amounts that are not whole in this unit.
   */
  unit: oneOf(['major', 'minor']),
  /** Smallest amount that it accepts, in its unit. */
  minimum: Maybe(Amount),
  /** Multiples that amounts must be of, by currency. Absent for currencies in which every amount of its unit is accepted. */
  steps: Maybe(T.Record(Currency, T.Integer({ minimum: 2, maximum: 1e6 }))),
  /** Query parameter of the return URL that holds the checkout's id. */
  returns: Maybe(T.String({ pattern: '^[A-Za-z_]{1,40}$' })),
  /** Refunds through the API. Absent if refunds are only possible in the gateway's dashboard. */
  refunds: Maybe(
    exact({
      /** True if parts of the paid amount can be refunded. */
      partial: T.Boolean(),
      /**
       * Safety of a repeated refund. `idempotencyKey`: a repeated `refundId` refunds nothing more. `unsafe`: a refund without a response
       * waits for a person.
       */
      exactlyOnce: oneOf(['idempotencyKey', 'unsafe']),
    }),
  ),
}

/** Returns a problem if the net amount of a line is not its gross amount less the fee. */
function balanceProblem(answer: unknown): string | undefined {
  const at = (answer as PayoutLinePage).lines.findIndex(({ gross, fee, net }) => gross - fee !== net)
  return at < 0 ? undefined : `/lines/${at}/net: is not gross less fee`
}

/** Functions of a gateway, with the schemas of their arguments and results. */
export const members = {
  testConnection: requiredMember(one([], T.Object({ account: Maybe(PrintableText(500)) }), { bytes: 4 * KIB })),
  createCheckout: requiredMember(one([Checkout], CheckoutMade, { bytes: 16 * KIB })),
  read: requiredMember(one([ExternalId], GatewayEvent, { bytes: 16 * KIB })),
  capture: one([ExternalId], GatewayEvent, { bytes: 16 * KIB }),
  expire: nothing([ExternalId]),
  settle: nothing([Settlement]),
  refund: one([RefundAsked], Refunded, { bytes: 16 * KIB }),
  'payouts.list': requiredMember(one([PayoutsAsked], PayoutPage)),
  'payouts.lines': requiredMember(one([PayoutLinesAsked], PayoutLinePage, { problem: balanceProblem })),
  ...webhookOf(GatewayEvent),
}

/** Adapter of a gateway. */
export type PaymentAdapter = DerivedAdapter<typeof definition, typeof members>
