import type { SharedState } from '../../../data/shared/shared.ts'

const SHORT_MS = 100
/** Number of short windows that overlap any second. */
const WINDOWS_IN_A_SECOND = 11

/**
 * Requests permission to send one delivery to an endpoint limited to `perSecond`. Returns 0, or the milliseconds to wait before asking
 * again. Low rates are spaced evenly; high ones are counted per 100 ms, so that no second exceeds the limit.
 */
export async function acquireSend(shared: SharedState, endpointId: string, perSecond: number): Promise<number> {
  const burst = Math.max(1, Math.floor(perSecond / WINDOWS_IN_A_SECOND))
  const windowMs = burst === 1 ? Math.floor(1000 / perSecond) + 1 : SHORT_MS
  const { count, resetMs } = await shared.countHit(`webhook:${endpointId}`, windowMs)
  return count <= burst ? 0 : Math.max(1, resetMs)
}
