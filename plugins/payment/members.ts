import { Type as T } from '@sinclair/typebox'
import type { Derived } from '../kind.ts'
import { KIB, nothing, one, required, webhookOf } from '../member.ts'
import { exact, Maybe, oneOf, Printed } from '../schema.ts'
import {
  Amount,
  Checkout,
  CheckoutMade,
  Currency,
  ExternalId,
  PaymentNews,
  PayoutLinePage,
  PayoutLinesAsked,
  PayoutPage,
  PayoutsAsked,
  RefundAsked,
  Refunded,
  Settlement,
} from './model.ts'

/** The version of this contract. An adapter names the one that it was written for. */
export const CONTRACT = 1

/** The constants of a gateway. */
export const definition = {
  currencies: T.Array(Currency, { minItems: 1, maxItems: 200 }),
  /** What an amount of 1 is: a dinar or a centime. The server converts, and refuses what does not come out whole. */
  unit: oneOf(['major', 'minor']),
  /** The least amount that it takes, in its unit. */
  minimum: Maybe(Amount),
  /** By currency, where it does not take every amount of its unit: what amounts have to be multiples of. */
  steps: Maybe(T.Record(Currency, T.Integer({ minimum: 2, maximum: 1e6 }))),
  /** The query parameter in which it names the checkout when it sends the payer back. */
  returns: Maybe(T.String({ pattern: '^[A-Za-z_]{1,40}$' })),
  /** How it gives money back. Left out: only by hand, in its dashboard. */
  refunds: Maybe(
    exact({
      /** Parts of what was paid, and not only all of it. */
      partial: T.Boolean(),
      /** `idempotencyKey`: asked again with the same `refundId`, nothing more is given back. `unsafe`: what got no answer waits for a person. */
      exactlyOnce: oneOf(['idempotencyKey', 'unsafe']),
    }),
  ),
}

/** What arrives is what a line is of, less the fee. */
function unbalanced(answer: unknown): string | undefined {
  const at = (answer as PayoutLinePage).lines.findIndex(({ gross, fee, net }) => gross - fee !== net)
  return at < 0 ? undefined : `/lines/${at}/net: is not what is left of gross`
}

/** What a gateway can be asked, and what it may answer. */
export const members = {
  testConnection: required(one([], T.Object({ account: Maybe(Printed(500)) }), { bytes: 4 * KIB })),
  createCheckout: required(one([Checkout], CheckoutMade, { bytes: 16 * KIB })),
  read: required(one([ExternalId], PaymentNews, { bytes: 16 * KIB })),
  capture: one([ExternalId], PaymentNews, { bytes: 16 * KIB }),
  expire: nothing([ExternalId]),
  settle: nothing([Settlement]),
  refund: one([RefundAsked], Refunded, { bytes: 16 * KIB }),
  'payouts.list': required(one([PayoutsAsked], PayoutPage)),
  'payouts.lines': required(one([PayoutLinesAsked], PayoutLinePage, { problem: unbalanced })),
  ...webhookOf(PaymentNews),
}

export type PaymentAdapter = Derived<typeof definition, typeof members>
