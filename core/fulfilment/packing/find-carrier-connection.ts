import type { Queryable } from '../../data/sql.ts'
import { findConnection } from '../../integrations/connections/connections.queries.ts'
import { packingErrors } from './packing.errors.ts'

/** Finds a carrier connection that a request names. Throws `invalid_request` for one that the store does not have. */
export async function findCarrierConnection(
  sql: Queryable,
  named: { readonly projectId: string; readonly id: string },
): Promise<{ readonly key: string }> {
  const connection = await findConnection(sql, named)
  if (connection?.kind !== 'carrier') throw packingErrors.connectionUnknown({ field: ['connectionId'] })
  return connection
}
