import type { Queryable } from '../../../data/sql.ts'
import { findPlanInForce } from '../subscriptions.queries.ts'

/**
 * Returns a predicate for the platform's models that the store's plan includes, by model id. `source/*` includes every id with that prefix.
 */
export async function planModelFilter(sql: Queryable, storeId: string): Promise<(id: string) => boolean> {
  const { models = null } = (await findPlanInForce(sql, storeId)).limits
  if (models === null) return () => true
  const [exact, prefixes] = [new Set(models), models.flatMap((one) => (one.endsWith('*') ? [one.slice(0, -1)] : []))]
  return (id) => exact.has(id) || prefixes.some((start) => id.startsWith(start))
}
