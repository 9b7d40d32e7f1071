import type { Shared } from '../../../data/shared/shared.ts'

const SHORT_MS = 100
/** Eleven short windows touch any second. */
const WINDOWS_IN_A_SECOND = 11

/**
 * Asks leave to send one delivery to an endpoint that takes `perSecond`: 0, or how long to wait before asking again. Slow paces
 * are spaced evenly, fast ones counted in tenths of a second, so that no second whatsoever sees more than was asked for.
 */
export async function askToSend(shared: Shared, endpointId: string, perSecond: number): Promise<number> {
  const burst = Math.max(1, Math.floor(perSecond / WINDOWS_IN_A_SECOND))
  const windowMs = burst === 1 ? Math.floor(1000 / perSecond) + 1 : SHORT_MS
  const { count, resetMs } = await shared.hit(`webhook:${endpointId}`, windowMs)
  return count <= burst ? 0 : Math.max(1, resetMs)
}
