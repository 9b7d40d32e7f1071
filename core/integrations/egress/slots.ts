import type { Context } from '../../context.ts'
import { type PeekOptions, type RateWindow, SLOT_HOLD_MS, type Slot } from '../../data/shared/rate-limiter.ts'
import { type EgressAccount, listCallAges } from './call-log.queries.ts'

/** Largest number of earlier calls read for one account. */
const REMEMBERED_MAX = 10_000

/** Adds a reader of logged calls, which restores the windows of an account that the rate limiter does not know. */
const withRecalledCalls = (
  { egress: gateway }: Context,
  account: EgressAccount,
  windows: readonly RateWindow[],
  options: PeekOptions,
): PeekOptions => ({
  ...options,
  recallCalls: () => listCallAges(gateway.sql, account, Math.min(REMEMBERED_MAX, Math.max(...windows.map(({ calls }) => calls)))),
})

/** Returns the milliseconds until a slot may be free, or 0 if one is free now. Acquires none. */
export const peekSlotWait = (
  context: Context,
  account: EgressAccount,
  windows: readonly RateWindow[],
  options: PeekOptions = {},
): Promise<number> => context.shared.rateLimiter.peek(account.connectionId, windows, withRecalledCalls(context, account, windows, options))

/**
 * Acquires a slot in all windows of a connection, or returns one with `waitMs` above 0. Logs the call durably first, so that it still
 * counts if the process dies during the call.
 */
export async function acquireSlot(context: Context, account: EgressAccount, windows: readonly RateWindow[], share: number): Promise<Slot> {
  const { projectId, connectionId } = account
  const slot = await context.shared.rateLimiter.acquire(connectionId, windows, withRecalledCalls(context, account, windows, { share }))
  if (slot.waitMs > 0 || windows.length === 0) return slot
  const ms = Math.max(...windows.map(({ seconds }) => seconds)) * 1000 + SLOT_HOLD_MS
  await context.egress.callLog.record({ projectId, connectionId, ms }).catch(async (error) => {
    await slot.release()
    throw error
  })
  return slot
}
