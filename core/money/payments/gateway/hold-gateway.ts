import type { Tx } from '../../../data/sql.ts'
import { notEnabled, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { holdConnected } from '../payments.queries.ts'

/** A gateway stays connected until the transaction ends. Throws `adapter_not_enabled` where it is gone or off by now: nobody would hear of its money. */
export async function holdGateway(tx: Tx, { row }: PaymentConnection): Promise<void> {
  if (!(await holdConnected(tx, row.id))) throw notEnabled('payment', 'The gateway is not connected any more.')
}
