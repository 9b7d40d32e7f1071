import type { Context } from '../../context.ts'
import { type PeekOptions, type RateWindow, SLOT_HOLD_MS, type Slot } from '../../data/shared/rate-limiter.ts'
import { listCallAges } from './calls.queries.ts'

/** Earlier calls that are looked at for one account. */
const REMEMBERED_MAX = 10_000

/** Whoever keeps the turns of an account, and has forgotten them or never knew, begins with the calls that were noted before they left. */
const remembering = ({ gateway }: Context, connectionId: string, windows: readonly RateWindow[], options: PeekOptions): PeekOptions => ({
  ...options,
  recallCalls: () => listCallAges(gateway.sql, connectionId, Math.min(REMEMBERED_MAX, Math.max(...windows.map(({ calls }) => calls)))),
})

export const peekSlot = (
  context: Context,
  connectionId: string,
  windows: readonly RateWindow[],
  options: PeekOptions = {},
): Promise<number> => context.shared.rateLimiter.peek(connectionId, windows, remembering(context, connectionId, windows, options))

/** A turn, noted durably before it is used: a process that dies while its call is under way leaves it to be counted. */
export async function acquireSlot(context: Context, connectionId: string, windows: readonly RateWindow[], share: number): Promise<Slot> {
  const turn = await context.shared.rateLimiter.acquire(connectionId, windows, remembering(context, connectionId, windows, { share }))
  if (turn.waitMs > 0 || windows.length === 0) return turn
  const ms = Math.max(...windows.map(({ seconds }) => seconds)) * 1000 + SLOT_HOLD_MS
  await context.gateway.calls.note({ connectionId, ms }).catch(async (error) => {
    await turn.release()
    throw error
  })
  return turn
}
