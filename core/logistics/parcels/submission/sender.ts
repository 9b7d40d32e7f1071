import { limits } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { isConnectionError } from '../../../data/database/database.ts'
import { transaction } from '../../../data/sql.ts'
import { runAs } from '../../../data/tenant-context.ts'
import { slotWaitOf } from '../../../integrations/connections/calls/call-adapter.ts'
import { type CarrierConnection, findEnabledConnection } from '../../../integrations/connections/connection.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { PollLoop } from '../../../lib/async/poll-loop.ts'
import { completeBatchIfDone } from '../batch/complete.ts'
import type { ParcelRow } from '../parcels.queries.ts'
import { failSubmission } from './fail-submission.ts'
import { type SubmissionLane, SubmissionLanes } from './lanes.ts'
import { leaseDurationOf } from './lease.ts'
import { lookUpDelay, markOutcomeUnknown, recordSubmissionOutcomes } from './record-submission-outcomes.ts'
import { SUBMISSIONS_CHANNEL } from './request.ts'
import { resumeSubmission } from './resume-submission.ts'
import {
  type ClaimedRow,
  claimDueSubmissions,
  type DueConnection,
  listDueConnections,
  lockDueSubmissions,
  postponeDueSubmissions,
} from './submission.queries.ts'
import { submitToCarrier } from './submit-to-carrier.ts'

/** Poll interval while there is work; it finds what was committed right after the wake-up call. */
const BUSY_POLL_MS = 20
/** Poll interval otherwise, in case a wake-up was lost, and for retries. */
const IDLE_POLL_MS = 500
const AFTER_FAILURE_MS = 500
const ACCOUNTS_AT_ONCE = 64
/** Longest wait for a slot of the carrier's rate limit within the call; a longer one postpones the parcels. */
const SLOT_WAIT_MS = 2_500
/** Maximum number of parcels per statement that postpones or fails them. */
const POSTPONED_AT_ONCE = 500
const FAILED_AT_ONCE = 25
const FINISH_MS = 5_000
const BATCH_AFTER_MS = 100

/** Background sender of parcels. */
export interface Sender {
  /** Claims nothing more, lets running calls finish, and records their outcomes. */
  stop(): Promise<void>
}

/**
 * Starts the only component that submits parcels to carriers. Claims a due parcel and commits that, calls the carrier with our reference,
 * then records the outcome. A claim that has expired, or whose process has died, is looked up and never sent again blindly. Connections
 * share the capacity, and nothing is locked while a carrier is called, so any number of processes can run it.
 */
export async function startSender(context: Context): Promise<Sender> {
  const sending = new SubmissionLoop(context)
  const unsubscribe = await context.shared.subscribe(SUBMISSIONS_CHANNEL, () => sending.wake())
  return {
    async stop() {
      unsubscribe()
      await sending.stop()
    },
  }
}

class SubmissionLoop {
  readonly #lanes = new SubmissionLanes()
  readonly #underWay = new Set<Promise<void>>()
  readonly #batches = new Map<string, { projectId: string; batchId: string }>()
  readonly #end = new AbortController()
  readonly #pollLoop = new PollLoop(() => this.#poll())
  #stopping = false

  constructor(private readonly context: Context) {}

  wake() {
    this.#pollLoop.wake()
  }

  async stop() {
    this.#stopping = true
    await this.#pollLoop.stop()
    const late = setTimeout(() => this.#end.abort(new Error('The process stops.')), FINISH_MS)
    const finished = async () => {
      while (this.#underWay.size > 0) await Promise.all(this.#underWay)
    }
    await Promise.race([finished(), Bun.sleep(limits.shutdownMs)])
    clearTimeout(late)
  }

  /** Serves the connections that have due parcels and capacity. Returns the delay until the next poll, in milliseconds. */
  async #poll(): Promise<number> {
    try {
      if (this.#lanes.isFull) return IDLE_POLL_MS
      const due = await listDueConnections(this.context.sql, { ...this.#lanes.listBlocked(), take: ACCOUNTS_AT_ONCE })
      for (const connection of due) this.#track(runAs(connection.projectId, () => this.#serve(connection)))
      return due.length > 0 ? BUSY_POLL_MS : IDLE_POLL_MS
    } catch (err) {
      if (!isConnectionError(err)) this.context.log.warn({ err }, 'due submissions could not be read; trying again')
      return AFTER_FAILURE_MS
    }
  }

  #track(work: Promise<void>) {
    const tracked = work
      .catch((err) => isConnectionError(err) || this.context.log.error({ err }, 'a submission failed unexpectedly; it is resumed later'))
      .then(() => {
        this.#underWay.delete(tracked)
      })
    this.#underWay.add(tracked)
  }

  async #serve({ connectionId, projectId }: DueConnection) {
    const ref = { projectId, id: connectionId }
    const lane = this.#lanes.open(connectionId, projectId)
    try {
      const connection = await findEnabledConnection(this.context, 'carrier', ref)
      if (!connection) return await this.#failDue(ref)
      const waitMs = await slotWaitOf(this.context, connection, { line: true })
      if (waitMs > SLOT_WAIT_MS) return await this.#postpone(connection, waitMs)
      const by = await this.context.processes.waitForLease()
      const claimedAt = performance.now()
      const room = this.#lanes.capacityOf(lane, connection)
      this.#start(
        lane,
        connection,
        claimedAt,
        await claimDueSubmissions(this.context.sql, ref, room, { leaseMs: leaseDurationOf(connection), by }),
      )
    } finally {
      this.#lanes.close(lane)
    }
  }

  #start(lane: SubmissionLane, connection: CarrierConnection, claimedAt: number, claimed: readonly ClaimedRow[]) {
    const interrupted = claimed.filter((parcel) => parcel.begun)
    const fresh = claimed.filter((parcel) => !parcel.begun)
    for (const parcel of interrupted)
      this.#call(lane, [parcel], () =>
        resumeSubmission(this.context, connection, parcel, { claimedAt: claimedAt, signal: this.#end.signal }),
      )
    const calls = connection.mounted.carrier.sendMany && fresh.length > 1 ? [fresh] : fresh.map((parcel) => [parcel])
    for (const parcels of calls) this.#call(lane, parcels, () => this.#send(connection, claimedAt, parcels))
  }

  /** Runs one call to the carrier, which occupies the lane until its outcome is recorded. */
  #call(lane: SubmissionLane, parcels: readonly ParcelRow[], work: () => Promise<void>) {
    this.#lanes.startCall(lane, parcels.length)
    this.#track(
      work().finally(() => {
        this.#lanes.endCall(lane, parcels.length)
        for (const { projectId, batchId } of parcels) if (batchId !== null) this.#completeBatchSoon(projectId, batchId)
        if (this.#lanes.hasRoom(lane)) this.wake()
      }),
    )
  }

  async #send(connection: CarrierConnection, claimedAt: number, parcels: readonly ParcelRow[]) {
    const handed = await submitToCarrier(this.context, connection, parcels, { claimedAt: claimedAt, signal: this.#end.signal })
    await recordSubmissionOutcomes(this.context, connection, handed)
  }

  /** Postpones the due parcels of a connection until its rate limit has slots for them. They stay unclaimed. */
  async #postpone({ row, mounted: { carrier } }: CarrierConnection, waitMs: number) {
    const slowest = carrier.rateWindows.toSorted((a, b) => b.seconds / b.calls - a.seconds / a.calls)[0]
    const at = (slowest?.calls ?? 1) * (carrier.sendMany ? (carrier.sendManyMax ?? 1) : 1)
    const pace = { waitMs, at, everyMs: (slowest?.seconds ?? 1) * 1000 }
    const waiting = await postponeDueSubmissions(this.context.sql, row, POSTPONED_AT_ONCE, pace)
    await this.context.outcomeNotifier.notify(waiting.map(({ id }) => id))
  }

  /** Fails the due parcels of a connection that was removed or switched off, or whose adapter is missing. */
  async #failDue(connection: ConnectionRef) {
    const error = { code: 'carrier_not_enabled', message: 'The carrier account was removed or switched off.' }
    const waiting = await transaction(this.context.sql, async (tx) => {
      const found = [...(await lockDueSubmissions(tx, connection, FAILED_AT_ONCE))]
      for (const parcel of found) {
        if (parcel.status === 'created') await failSubmission(tx, parcel, error)
        // The carrier can be asked for the outcome once it is back.
        else await markOutcomeUnknown(tx, parcel, error.message, lookUpDelay(parcel))
      }
      return found
    })
    await this.context.outcomeNotifier.notify(waiting.map(({ id }) => id))
    for (const { projectId, batchId } of waiting) if (batchId !== null) this.#completeBatchSoon(projectId, batchId)
  }

  /** Schedules one check of a batch for many of its rows. */
  #completeBatchSoon(projectId: string, batchId: string) {
    if (this.#batches.has(batchId)) return
    this.#batches.set(batchId, { projectId, batchId })
    const end = async () => {
      await (this.#stopping ? undefined : Bun.sleep(BATCH_AFTER_MS))
      this.#batches.delete(batchId)
      await completeBatchIfDone(this.context.sql, projectId, batchId)
    }
    this.#track(runAs(projectId, end))
  }
}
