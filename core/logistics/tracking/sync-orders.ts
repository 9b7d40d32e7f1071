import type { Context } from '../../context.ts'
import { callerOf } from '../../http/auth/auth-context.ts'
import { notEnabledError, openConnection } from '../../integrations/connections/connection.ts'
import { notEnabledSentences } from '../../integrations/connections/connections.errors.ts'
import { findConnectionByKey } from '../../integrations/connections/connections.queries.ts'
import type { OperationCall } from '../../integrations/operations/operation-registry.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { enqueueSync } from './sync.ts'

/** Starts a synchronisation from the route under the carrier's own name, which has the store in its body. */
export async function syncOrders(context: Context, { adapter, caller, body }: OperationCall<'carrier', 'syncOrders'>) {
  const store = await accessStore(context, callerOf({ caller }), body.storeId, ['agent', 'parcels:write'])
  const row = await findConnectionByKey(context.sql, store.id, adapter.slug)
  if (!row?.enabled) throw notEnabledError('carrier', notEnabledSentences.notOfStore(adapter.label))
  return enqueueSync(context, openConnection(context, 'carrier', row))
}
