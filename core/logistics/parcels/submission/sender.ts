import { limits } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { isConnectionError } from '../../../data/database/database.ts'
import { transaction } from '../../../data/sql.ts'
import { runAs } from '../../../data/tenant-context.ts'
import { slotWaitOf } from '../../../integrations/connections/calls/call-adapter.ts'
import { type CarrierConnection, findEnabledConnection } from '../../../integrations/connections/connection.ts'
import { PollLoop } from '../../../lib/async/poll-loop.ts'
import { completeIfDone } from '../batch/complete.ts'
import type { ParcelRow } from '../parcels.queries.ts'
import { conclude, keepUnknown, lookUpDelay } from './conclude.ts'
import { failSubmission } from './fail.ts'
import { handOver } from './hand-over.ts'
import { type Lane, Lanes } from './lanes.ts'
import { leaseOf } from './lease.ts'
import { SUBMISSIONS_CHANNEL } from './request.ts'
import { resume } from './resume.ts'
import {
  type ClaimedRow,
  claimDue,
  type DueConnection,
  endLeasesOfDead,
  listDueConnections,
  lockDue,
  putOff,
} from './submission.queries.ts'

/** While there is work: finds what was committed just after the call that woke us. */
const BUSY_POLL_MS = 20
/** The safety net, and what takes up again. */
const IDLE_POLL_MS = 500
const AFTER_FAILURE_MS = 500
const ACCOUNTS_AT_ONCE = 64
/** A shorter wait for the carrier's turn is waited out within the call. */
const TURN_WAIT_MS = 2_500
/** Parcels that are put off, or given up, in one statement. */
const PUT_OFF_AT_ONCE = 500
const GIVEN_UP_AT_ONCE = 25
const FINISH_MS = 5_000
const BATCH_AFTER_MS = 100

export interface Sender {
  /** Takes up nothing more, lets calls under way finish, and writes what came of them. */
  stop(): Promise<void>
}

/**
 * The one road to a carrier. A parcel whose turn came is claimed and its intent committed; then the carrier is called with our reference,
 * and the outcome written. One found claimed when its lease is over was begun by somebody who did not finish: it is looked up, never sent
 * again blindly. So is what a process took up that lives no more. Accounts take turns, each within a room of its own, and none holds anything
 * while its carrier is awaited: any number of processes may do so at once.
 */
export async function startSender(context: Context): Promise<Sender> {
  context.processes.onProcessDead(endLeasesOfDead)
  const sending = new Sending(context)
  const unsubscribe = await context.shared.subscribe(SUBMISSIONS_CHANNEL, () => sending.wake())
  return {
    async stop() {
      unsubscribe()
      await sending.stop()
    },
  }
}

class Sending {
  readonly #lanes = new Lanes()
  readonly #underWay = new Set<Promise<void>>()
  readonly #batches = new Map<string, { projectId: string; batchId: string }>()
  readonly #end = new AbortController()
  readonly #rounds = new PollLoop(() => this.#look())
  #stopping = false

  constructor(private readonly context: Context) {}

  wake() {
    this.#rounds.wake()
  }

  async stop() {
    this.#stopping = true
    await this.#rounds.stop()
    const late = setTimeout(() => this.#end.abort(new Error('The process stops.')), FINISH_MS)
    const finished = async () => {
      while (this.#underWay.size > 0) await Promise.all(this.#underWay)
    }
    await Promise.race([finished(), Bun.sleep(limits.shutdownMs)])
    clearTimeout(late)
  }

  /** Serves the accounts that have something to send, and room for it; gives back how long to rest. */
  async #look(): Promise<number> {
    try {
      if (this.#lanes.isFull) return IDLE_POLL_MS
      const due = await listDueConnections(this.context.sql, { ...this.#lanes.closed(), take: ACCOUNTS_AT_ONCE })
      for (const connection of due) this.#track(runAs(connection.projectId, () => this.#serve(connection)))
      return due.length > 0 ? BUSY_POLL_MS : IDLE_POLL_MS
    } catch (err) {
      if (!isConnectionError(err)) this.context.log.warn({ err }, 'what is to be sent could not be read; trying again')
      return AFTER_FAILURE_MS
    }
  }

  #track(work: Promise<void>) {
    const tracked = work
      .catch((err) => isConnectionError(err) || this.context.log.error({ err }, 'a sending broke; it is taken up again'))
      .then(() => {
        this.#underWay.delete(tracked)
      })
    this.#underWay.add(tracked)
  }

  async #serve({ connectionId, projectId }: DueConnection) {
    const lane = this.#lanes.open(connectionId, projectId)
    try {
      const connection = await findEnabledConnection(this.context, 'carrier', connectionId)
      if (!connection) return await this.#giveUp(connectionId)
      const waitMs = await slotWaitOf(this.context, connection, { line: true })
      if (waitMs > TURN_WAIT_MS) return await this.#putOff(connection, waitMs)
      const by = await this.context.processes.waitForLease()
      const takenAt = performance.now()
      const room = this.#lanes.roomIn(lane, connection)
      this.#start(lane, connection, takenAt, await claimDue(this.context.sql, connectionId, room, { leaseMs: leaseOf(connection), by }))
    } finally {
      this.#lanes.close(lane)
    }
  }

  #start(lane: Lane, connection: CarrierConnection, takenAt: number, claimed: readonly ClaimedRow[]) {
    const begun = claimed.filter((parcel) => parcel.begun)
    const fresh = claimed.filter((parcel) => !parcel.begun)
    for (const parcel of begun)
      this.#call(lane, [parcel], () => resume(this.context, connection, parcel, { takenAt, signal: this.#end.signal }))
    const calls = connection.mounted.carrier.sendMany && fresh.length > 1 ? [fresh] : fresh.map((parcel) => [parcel])
    for (const parcels of calls) this.#call(lane, parcels, () => this.#send(connection, takenAt, parcels))
  }

  /** One call of the carrier, which fills the lane until its outcome is written. */
  #call(lane: Lane, parcels: readonly ParcelRow[], work: () => Promise<void>) {
    this.#lanes.enter(lane, parcels.length)
    this.#track(
      work().finally(() => {
        this.#lanes.leave(lane, parcels.length)
        for (const { projectId, batchId } of parcels) if (batchId !== null) this.#endBatchSoon(projectId, batchId)
        if (this.#lanes.hasRoom(lane)) this.wake()
      }),
    )
  }

  async #send(connection: CarrierConnection, takenAt: number, parcels: readonly ParcelRow[]) {
    const handed = await handOver(this.context, connection, parcels, { takenAt, signal: this.#end.signal })
    await conclude(this.context, connection, handed)
  }

  /** The carrier takes no more for now: what waits comes again when it is its turn, unclaimed until then. */
  async #putOff({ row, mounted: { carrier } }: CarrierConnection, waitMs: number) {
    const slowest = carrier.rateWindows.toSorted((a, b) => b.seconds / b.calls - a.seconds / a.calls)[0]
    const at = (slowest?.calls ?? 1) * (carrier.sendMany ? (carrier.sendManyMax ?? 1) : 1)
    const pace = { waitMs, at, everyMs: (slowest?.seconds ?? 1) * 1000 }
    const waiting = await putOff(this.context.sql, row.id, PUT_OFF_AT_ONCE, pace)
    await this.context.outcomes.tell(waiting.map(({ id }) => id))
  }

  /** The connection is gone or switched off, or its adapter is not there. */
  async #giveUp(connectionId: string) {
    const error = { code: 'carrier_not_enabled', message: 'The carrier account is gone or switched off.' }
    const waiting = await transaction(this.context.sql, async (tx) => {
      const found = [...(await lockDue(tx, connectionId, GIVEN_UP_AT_ONCE))]
      for (const parcel of found) {
        if (parcel.status === 'created') await failSubmission(tx, parcel, error)
        // Whether the carrier has it can be asked when it is back.
        else await keepUnknown(tx, parcel, error.message, lookUpDelay(parcel))
      }
      return found
    })
    await this.context.outcomes.tell(waiting.map(({ id }) => id))
    for (const { projectId, batchId } of waiting) if (batchId !== null) this.#endBatchSoon(projectId, batchId)
  }

  /** A batch is looked at once for many of its rows. */
  #endBatchSoon(projectId: string, batchId: string) {
    if (this.#batches.has(batchId)) return
    this.#batches.set(batchId, { projectId, batchId })
    const end = async () => {
      await (this.#stopping ? undefined : Bun.sleep(BATCH_AFTER_MS))
      this.#batches.delete(batchId)
      await completeIfDone(this.context.sql, projectId, batchId)
    }
    this.#track(runAs(projectId, end))
  }
}
