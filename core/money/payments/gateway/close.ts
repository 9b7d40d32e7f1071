import type { Context } from '../../../context.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import { connectionIfOn } from '../../../integrations/connections/connection.ts'
import { asFailure } from '../events/poll-schedule.ts'
import type { AtGateway } from '../payments.model.ts'
import { isUnderWay } from '../statuses.ts'

const CALL_MS = 20_000

/** Whether it can be ended from here. What the payer did his part of is left to its gateway. */
export const canEnd = ({ status }: Pick<AtGateway, 'status'>): boolean => isUnderWay(status) && status !== 'processing'

/**
 * Has the gateway close the page of a payment that nobody shall pay any more, and then say how it stands: it may have been paid by now. False
 * where it is silent. `wasAsked`: it said so just now, and is asked again only where it can close. `ask`: asks it; says whether it answered.
 */
export async function closeAtGateway(
  context: Context,
  { externalId, connectionId }: Pick<AtGateway, 'externalId' | 'connectionId'>,
  wasAsked: boolean,
  ask: (externalId: string, deadlineMs: number) => Promise<boolean>,
): Promise<boolean> {
  if (externalId === null) return true
  const connection = await connectionIfOn(context, 'payment', connectionId)
  const expire = connection?.mounted.adapter.expire
  const options = { operation: 'expire', deadlineMs: CALL_MS }
  if (connection && expire) await callAdapter(context, connection, (_, own) => expire(own, externalId), options).catch(asFailure)
  return (wasAsked && !expire) || ask(externalId, CALL_MS)
}
