import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection, notEnabledError, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import type { GatewayPayment } from '../payments.model.ts'
import { lockEnabledConnection } from '../payments.queries.ts'
import { isUnderWay } from '../statuses.ts'

/** Failure used for a gateway that is switched off or disconnected. */
export const GATEWAY_OFF = new AdapterFailure('unavailable', 'The gateway is switched off or disconnected, so it cannot be polled.', {
  wasSent: false,
})

/** Returns an adapter's failure as a value. Rethrows any other error. */
export function asFailure(error: unknown): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  throw error
}

/**
 * Locks a gateway's connection against removal until the transaction ends. Throws `adapter_not_enabled` if it is gone or off, because
 * events of its payments would be lost.
 */
export async function lockGateway(tx: Tx, { row }: PaymentConnection): Promise<void> {
  if (!(await lockEnabledConnection(tx, row.id))) throw notEnabledError('payment', 'The gateway is not connected any more.')
}

const CALL_MS = 20_000

/** Returns whether a payment can be expired here. A payment in `processing` is left to its gateway. */
export const canExpire = ({ status }: Pick<GatewayPayment, 'status'>): boolean => isUnderWay(status) && status !== 'processing'

/**
 * Closes a payment's page at the gateway if the adapter can, then polls whether it was paid meanwhile. Returns false if the gateway did not
 * respond. With `wasAsked`, the gateway has just been polled and is polled again only after closing. `poll` polls it and returns whether it
 * responded.
 */
export async function closeAtGateway(
  context: Context,
  { externalId, connectionId }: Pick<GatewayPayment, 'externalId' | 'connectionId'>,
  { wasAsked }: { readonly wasAsked: boolean },
  poll: (externalId: string, deadlineMs: number) => Promise<boolean>,
): Promise<boolean> {
  if (externalId === null) return true
  const connection = await findEnabledConnection(context, 'payment', connectionId)
  const expire = connection?.mounted.adapter.expire
  const options = { operation: 'expire', deadlineMs: CALL_MS }
  if (connection && expire) await callAdapter(context, connection, (_, own) => expire(own, externalId), options).catch(asFailure)
  return (wasAsked && !expire) || poll(externalId, CALL_MS)
}

/** Returns the values of a new payment for a second checkout of the same payment. */
export const duplicatePaymentOf = (payment: GatewayPayment, { externalId }: GatewayEvent) => ({
  storeId: payment.storeId,
  connectionId: payment.connectionId,
  gateway: payment.gateway,
  status: 'open' as const,
  amount: payment.amount,
  currency: payment.currency,
  decimals: payment.decimals,
  language: payment.language,
  externalId: externalId ?? null,
})
