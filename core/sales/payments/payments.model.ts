import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { paymentStatuses } from '../../../plugins/payment/model.ts'
import { type Asked, listing } from '../../http/list.ts'
import { exact, Maybe, named, oneOf, Text } from '../../http/schema.ts'

export const NewRefund = named(
  'NewRefund',
  exact({
    amount: Maybe(T.Number({ exclusiveMinimum: 0, maximum: 1e11, description: 'in the major unit; all that is left, unless said' })),
    reason: Maybe(Text(200)),
    byHand: Maybe(T.Boolean({ description: 'it was given back in the dashboard of the gateway, and is only written down' })),
  }),
)
export type NewRefund = Static<typeof NewRefund>

export const RefundOutcome = named(
  'RefundOutcome',
  exact({ status: oneOf(['done', 'failed'], { description: 'what a person found out of a refund that is `unknown`' }) }),
)

export const paymentList = listing({
  sorts: null,
  filters: { status: oneOf(paymentStatuses), waiting: t.Boolean({ description: 'for a person' }) },
})
export type AskedPayments = Asked<typeof paymentList.filters>
