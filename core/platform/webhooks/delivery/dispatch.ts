import { limits } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { isConnectionError } from '../../../data/database/database.ts'
import { PollLoop } from '../../../lib/async/poll-loop.ts'
import { WAKE_CHANNEL } from '../emit.queries.ts'
import { decryptSecrets } from '../endpoints.ts'
import { sendAttempt } from './attempt.ts'
import { type ClaimedDelivery, type ClaimLimits, claimDue, releaseLeases } from './dispatch.queries.ts'
import { EndpointQueue, type QueuedDelivery } from './endpoint-queue.ts'
import { acquireSend } from './endpoint-rate.ts'
import { recordOutcomes, type UnwrittenAttempt } from './record-outcome.ts'
import { ATTEMPT_TIMEOUT_MS, LEASE_MS } from './schedule.ts'
import { SendCapacity } from './send-capacity.ts'
import { computeClaimLimits, shareOf } from './shares.ts'

/** Maximum deliveries that one process holds. */
const CLAIMED_MAX = 2_000
/** Poll interval during traffic. Finds deliveries that were committed just after the notification. */
const BUSY_POLL_MS = 15
const BUSY_FOR_MS = 1_000
/** Poll interval without traffic. Finds retries and missed notifications. */
const IDLE_POLL_MS = 500
const BATCH_DELAY_MS = 2
const AFTER_FAILURE_MS = 500
/** Age after which a claimed delivery is released, because an attempt could outlast its lease. */
const LEASE_USABLE_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS - 5_000

/** Running dispatcher of webhook deliveries. */
export interface Dispatcher {
  /** Claims nothing more, waits for attempts under way and writes their outcomes. */
  stop(): Promise<void>
}

type Needs = Pick<Context, 'config' | 'database' | 'sql' | 'shared' | 'processes' | 'vault' | 'webhookOutbound' | 'log'>

/** Sends due deliveries until stopped. Several processes may run one at the same time. */
export async function startDispatcher(context: Needs): Promise<Dispatcher> {
  const dispatch = new Dispatch(context)
  const unlisten = await context.database
    .listen(WAKE_CHANNEL, () => dispatch.wake())
    .catch((err) => {
      context.log.warn({ err }, 'webhooks cannot be woken by the database (a pooler?); they look every half second')
      return null
    })
  return {
    async stop() {
      await unlisten?.().catch(() => {})
      await dispatch.stop()
    },
  }
}

class Dispatch {
  readonly #lanes = new Map<string, EndpointQueue>()
  readonly #sending: SendCapacity
  readonly #running = new Set<Promise<void>>()
  #unwritten: UnwrittenAttempt[] = []
  #writing: Promise<void> | null = null
  #busyUntil = 0
  #stopping = false
  readonly #pollLoop = new PollLoop(() => this.#poll())

  constructor(private readonly context: Needs) {
    this.#sending = new SendCapacity(context.config.requestsOutMax)
  }

  wake() {
    this.#busyUntil = Date.now() + BUSY_FOR_MS
    this.#pollLoop.wake()
  }

  async #poll(): Promise<number> {
    return this.#claim().catch((err) => {
      if (!isConnectionError(err)) this.context.log.warn({ err }, 'webhooks could not be read; trying again')
      return AFTER_FAILURE_MS
    })
  }

  async stop() {
    this.#stopping = true
    await this.#pollLoop.stop()
    const unsent = [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0))
    await releaseLeases(this.context.sql, unsent).catch(() => {})
    await Promise.race([Promise.all(this.#running), Bun.sleep(limits.shutdownMs)])
    await this.#writing
    await this.#write()
  }

  /** Claims deliveries within the available room. Returns the milliseconds to pause. */
  async #claim(): Promise<number> {
    const inProgress = this.#sweep()
    const total = CLAIMED_MAX - inProgress - this.#unwritten.length
    if (total <= 0) return IDLE_POLL_MS
    const room = computeClaimLimits(this.#lanes, total)
    const claimed = await claimDue(this.context.sql, room, this.context.processes.number)
    for (const lane of this.#lanes.values()) lane.hasMoreDue = false
    if (claimed.length === 0) return Date.now() < this.#busyUntil ? BUSY_POLL_MS : IDLE_POLL_MS
    this.#busyUntil = Date.now() + BUSY_FOR_MS
    for (const [projectId, theirs] of Map.groupBy(claimed, (one) => one.projectId))
      this.#admit(projectId, theirs, room, { isOver: claimed.length >= total })
    return [...this.#lanes.values()].some((lane) => lane.needsMore) ? 0 : BUSY_POLL_MS
  }

  /** Queues the claimed deliveries of a project. `isOver`: the claim used all available room. */
  #admit(projectId: string, claimed: readonly ClaimedDelivery[], room: ClaimLimits, { isOver }: { readonly isOver: boolean }) {
    const share = shareOf(room, projectId)
    const cutOff = isOver || claimed.length >= share.places
    const takenAt = Date.now()
    for (const [endpointId, theirs] of Map.groupBy(claimed, (one) => one.endpointId)) {
      const lane = this.#lanes.get(endpointId) ?? new EndpointQueue(projectId)
      this.#lanes.set(endpointId, lane)
      lane.hasMoreDue = cutOff || theirs.length >= (room.byEndpoint.get(endpointId) ?? share.others)
      for (const one of theirs) {
        lane.perSecond = one.maxPerSecond
        lane.waiting.push({ ...one, takenAt })
      }
      this.#startAllowed(lane)
    }
  }

  /** Counts the held deliveries and removes idle endpoints. */
  #sweep(): number {
    let inProgress = 0
    for (const [id, lane] of this.#lanes) {
      inProgress += lane.heldCount
      if (lane.isIdle) this.#lanes.delete(id)
    }
    return inProgress
  }

  /** Starts the deliveries that the lane allows. */
  #startAllowed(lane: EndpointQueue) {
    if (this.#stopping) return
    if (lane.perSecond !== null) {
      if (!lane.isPacing) this.#track(this.#startPaced(lane))
      return
    }
    for (let next = this.#takeNext(lane); next; next = this.#takeNext(lane)) this.#start(lane, next)
  }

  async #startPaced(lane: EndpointQueue) {
    lane.isPacing = true
    try {
      for (let next = this.#takeNext(lane); next; next = this.#takeNext(lane)) {
        await this.#waitForPace(next, lane.perSecond)
        if (this.#stopping) return await this.#release(lane, next)
        this.#start(lane, next)
      }
    } finally {
      lane.isPacing = false
    }
  }

  /** Takes the next delivery of a lane if there is capacity. Otherwise registers the lane as waiting. */
  #takeNext(lane: EndpointQueue): QueuedDelivery | undefined {
    if (!lane.canStart) return undefined
    if (!this.#sending.canStart(lane)) {
      this.#sending.enqueueLane(lane)
      return undefined
    }
    const next = lane.takeNext()
    if (next) this.#sending.begin(lane)
    return next
  }

  #start(lane: EndpointQueue, next: QueuedDelivery) {
    this.#track(this.#send(lane, next).finally(() => this.#finish(lane)))
  }

  /** Frees a slot. Waiting lanes get it first. */
  #finish(lane: EndpointQueue) {
    this.#sending.end(lane)
    for (let other = this.#sending.nextWaiting(); other; other = this.#sending.nextWaiting()) this.#startAllowed(other)
    this.#startAllowed(lane)
  }

  /** Waits until the endpoint's rate limit allows a delivery. */
  async #waitForPace({ endpointId }: QueuedDelivery, perSecond: number | null) {
    while (perSecond !== null && !this.#stopping) {
      const waitMs = await acquireSend(this.context.shared, endpointId, perSecond)
      if (waitMs === 0) return
      await Bun.sleep(waitMs)
    }
  }

  async #release(lane: EndpointQueue, claimed: ClaimedDelivery) {
    lane.drop(claimed)
    await releaseLeases(this.context.sql, [claimed])
  }

  #track(work: Promise<void>) {
    const tracked = work
      .catch((err) => this.context.log.error({ err }, 'a webhook delivery broke'))
      .finally(() => this.#running.delete(tracked))
    this.#running.add(tracked)
  }

  async #send(lane: EndpointQueue, claimed: QueuedDelivery) {
    const { webhookOutbound, vault, processes } = this.context
    // After a long suspension, other processes may have declared this one dead and taken over.
    if (!processes.hasLease) await processes.waitForLease()
    if (claimed.holder !== processes.number) return lane.drop(claimed)
    if (Date.now() - claimed.takenAt > LEASE_USABLE_MS) return this.#release(lane, claimed)
    const secrets = this.#secretsOf(claimed, vault)
    if (!secrets) return lane.drop(claimed)
    const made = await sendAttempt(webhookOutbound, { ...claimed, secrets })
    lane.complete(claimed, made)
    this.#unwritten.push({ claimed, attempt: made })
    this.#writing ??= this.#writeSoon()
    if (lane.needsMore) this.#pollLoop.wake()
  }

  /** Decrypts the secrets of an endpoint; null if the encryption key has changed. The delivery is then retried after its lease. */
  #secretsOf({ endpointId, secrets }: QueuedDelivery, vault: Context['vault']) {
    try {
      return decryptSecrets(vault, endpointId, secrets)
    } catch (err) {
      this.context.log.error({ err, endpointId }, 'the secret of a webhook endpoint cannot be read: is ENCRYPTION_KEY another one?')
      return null
    }
  }

  async #writeSoon() {
    await Bun.sleep(BATCH_DELAY_MS)
    while (this.#unwritten.length > 0 && !this.#stopping) {
      const written = await this.#write()
      if (!written) await Bun.sleep(AFTER_FAILURE_MS)
    }
    this.#writing = null
  }

  /** Writes all pending outcomes in one statement. Keeps them for the next time if the database is down. */
  async #write(): Promise<boolean> {
    const batch = this.#unwritten
    if (batch.length === 0) return true
    this.#unwritten = []
    const failure = await this.#tryWrite(batch)
    if (failure === null) return true
    const unwritten = isConnectionError(failure) ? batch : await this.#writeByProject(batch)
    this.#unwritten = [...unwritten, ...this.#unwritten]
    return unwritten.length === 0
  }

  /** Writes outcomes project by project, so that one failure does not block the others. Returns those that were not written. */
  async #writeByProject(batch: readonly UnwrittenAttempt[]): Promise<UnwrittenAttempt[]> {
    const unwritten: UnwrittenAttempt[] = []
    for (const theirs of Map.groupBy(batch, ({ claimed }) => claimed.projectId).values())
      if ((await this.#tryWrite(theirs)) !== null) unwritten.push(...theirs)
    return unwritten
  }

  /** Writes outcomes and returns the error; null if they were written. */
  async #tryWrite(batch: readonly UnwrittenAttempt[]): Promise<unknown> {
    try {
      await recordOutcomes(this.context.sql, batch, this.context.log)
      // Claims ordered deliveries that waited for these.
      if (batch.some(({ claimed }) => claimed.orderKey !== null)) this.wake()
      return null
    } catch (err) {
      if (!isConnectionError(err)) this.context.log.error({ err }, 'outcomes of webhooks could not be written; trying again')
      return err
    }
  }
}
