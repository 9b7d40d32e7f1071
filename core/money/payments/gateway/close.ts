import type { Context } from '../../../context.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection } from '../../../integrations/connections/connection.ts'
import { asFailure } from '../events/poll-schedule.ts'
import type { GatewayPayment } from '../payments.model.ts'
import { isUnderWay } from '../statuses.ts'

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
  wasAsked: boolean,
  poll: (externalId: string, deadlineMs: number) => Promise<boolean>,
): Promise<boolean> {
  if (externalId === null) return true
  const connection = await findEnabledConnection(context, 'payment', connectionId)
  const expire = connection?.mounted.adapter.expire
  const options = { operation: 'expire', deadlineMs: CALL_MS }
  if (connection && expire) await callAdapter(context, connection, (_, own) => expire(own, externalId), options).catch(asFailure)
  return (wasAsked && !expire) || poll(externalId, CALL_MS)
}
