import type { Queryable } from '../../../data/sql.ts'
import { findPlanInForce } from '../subscriptions.queries.ts'

/** Whether the plan of a store gives it a model of the platform, by the model's id. */
export async function modelsOfPlan(sql: Queryable, storeId: string): Promise<(id: string) => boolean> {
  const { models = null } = (await findPlanInForce(sql, storeId)).limits
  if (models === null) return () => true
  const [whole, begun] = [new Set(models), models.flatMap((one) => (one.endsWith('*') ? [one.slice(0, -1)] : []))]
  return (id) => whole.has(id) || begun.some((beginning) => id.startsWith(beginning))
}
