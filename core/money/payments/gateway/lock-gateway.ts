import type { Tx } from '../../../data/sql.ts'
import { notEnabledError, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { lockEnabledConnection } from '../payments.queries.ts'

/**
 * Locks a gateway's connection against removal until the transaction ends. Throws `adapter_not_enabled` if it is gone or off, because
 * events of its payments would be lost.
 */
export async function lockGateway(tx: Tx, { row }: PaymentConnection): Promise<void> {
  if (!(await lockEnabledConnection(tx, row.id))) throw notEnabledError('payment', 'The gateway is not connected any more.')
}
