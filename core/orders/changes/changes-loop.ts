import type { Context } from '../../context.ts'
import { isConnectionError } from '../../data/database/database.ts'
import { PollLoop } from '../../lib/async/poll-loop.ts'
import { listDueSlots } from './changes.queries.ts'
import { drainSlot } from './drain-changes.ts'

const IDLE_POLL_MS = 250
const AFTER_FAILURE_MS = 500

/** Starts the loop that publishes the changes of orders. Every process runs one; a slot is worked on by one at a time. */
export async function startChangesLoop({ sql, log }: Pick<Context, 'sql' | 'log'>) {
  let isStopping = false
  const loop = new PollLoop(async () => {
    try {
      let left = await listDueSlots(sql)
      while (left.length > 0 && !isStopping) {
        const more: number[] = []
        for (const slot of left) if (!isStopping && (await drainSlot({ sql, log }, slot, { waits: false }))) more.push(slot)
        left = more
      }
      return IDLE_POLL_MS
    } catch (err) {
      if (!isConnectionError(err)) log.warn({ err }, 'changes of orders could not be read; trying again')
      return AFTER_FAILURE_MS
    }
  })
  return {
    stop() {
      isStopping = true
      return loop.stop()
    },
  }
}
