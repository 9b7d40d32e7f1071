import { limits } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { isAway } from '../../../data/database/database.ts'
import { PollLoop } from '../../../lib/async/poll-loop.ts'
import { WAKE_CHANNEL } from '../emit.queries.ts'
import { openSecrets } from '../endpoints.ts'
import { attempt } from './attempt.ts'
import { type Claimed, claimDue, type Room, releaseLeases } from './dispatch.queries.ts'
import { Lane, type Taken } from './lane.ts'
import { askToSend } from './pace.ts'
import { type Settlement, settle } from './record-outcome.ts'
import { ATTEMPT_TIMEOUT_MS, LEASE_MS } from './schedule.ts'
import { Sending } from './sending.ts'
import { roomBeside, shareOf } from './shares.ts'

/** Deliveries in the hands of one process. */
const HELD_MAX = 2_000
/** While there is traffic: finds what was committed just after the wake-up call. */
const BUSY_POLL_MS = 15
const BUSY_FOR_MS = 1_000
/** The safety net, and what starts retries. */
const IDLE_POLL_MS = 500
const GATHER_MS = 2
const AFTER_FAILURE_MS = 500
/** What cannot be tried in full before its lease ends is given back. */
const LEASE_USABLE_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS - 5_000

export interface Dispatcher {
  /** Takes nothing more, lets attempts under way finish, writes what came of them. */
  stop(): Promise<void>
}

type Needs = Pick<Context, 'config' | 'database' | 'sql' | 'shared' | 'processes' | 'vault' | 'webhookOutbound' | 'log'>

/** Sends what is due until stopped. Any number of processes may do so at once. */
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
  readonly #lanes = new Map<string, Lane>()
  readonly #sending: Sending
  readonly #underWay = new Set<Promise<void>>()
  #unwritten: Settlement[] = []
  #writing: Promise<void> | null = null
  #busyUntil = 0
  #stopping = false
  readonly #rounds = new PollLoop(() => this.#look())

  constructor(private readonly context: Needs) {
    this.#sending = new Sending(context.config.requestsOutMax)
  }

  wake() {
    this.#busyUntil = Date.now() + BUSY_FOR_MS
    this.#rounds.wake()
  }

  async #look(): Promise<number> {
    return this.#claim().catch((err) => {
      if (!isAway(err)) this.context.log.warn({ err }, 'webhooks could not be read; trying again')
      return AFTER_FAILURE_MS
    })
  }

  async stop() {
    this.#stopping = true
    await this.#rounds.stop()
    const unsent = [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0))
    await releaseLeases(this.context.sql, unsent).catch(() => {})
    await Promise.race([Promise.all(this.#underWay), Bun.sleep(limits.shutdownMs)])
    await this.#writing
    await this.#write()
  }

  /** Takes what there is room for; gives back how long to rest. */
  async #claim(): Promise<number> {
    const held = this.#sweep()
    const total = HELD_MAX - held - this.#unwritten.length
    if (total <= 0) return IDLE_POLL_MS
    const room = roomBeside(this.#lanes, total)
    const claimed = await claimDue(this.context.sql, room, this.context.processes.number)
    for (const lane of this.#lanes.values()) lane.full = false
    if (claimed.length === 0) return Date.now() < this.#busyUntil ? BUSY_POLL_MS : IDLE_POLL_MS
    this.#busyUntil = Date.now() + BUSY_FOR_MS
    for (const [projectId, theirs] of Map.groupBy(claimed, (one) => one.projectId))
      this.#admit(projectId, theirs, room, claimed.length >= total)
    return [...this.#lanes.values()].some((lane) => lane.isHungry) ? 0 : BUSY_POLL_MS
  }

  /** What was claimed of a project. `isOver`: whether that was all that there was room for. */
  #admit(projectId: string, claimed: readonly Claimed[], room: Room, isOver: boolean) {
    const share = shareOf(room, projectId)
    const cutOff = isOver || claimed.length >= share.places
    const takenAt = Date.now()
    for (const [endpointId, theirs] of Map.groupBy(claimed, (one) => one.endpointId)) {
      const lane = this.#lanes.get(endpointId) ?? new Lane(projectId)
      this.#lanes.set(endpointId, lane)
      lane.full = cutOff || theirs.length >= (room.byEndpoint.get(endpointId) ?? share.others)
      for (const one of theirs) {
        lane.perSecond = one.maxPerSecond
        lane.waiting.push({ ...one, takenAt })
      }
      this.#pump(lane)
    }
  }

  /** How many are held, and forgets endpoints that are quiet. */
  #sweep(): number {
    let held = 0
    for (const [id, lane] of this.#lanes) {
      held += lane.held
      if (lane.isIdle) this.#lanes.delete(id)
    }
    return held
  }

  /** Starts what the lane allows. */
  #pump(lane: Lane) {
    if (this.#stopping) return
    if (lane.perSecond !== null) {
      if (!lane.pacing) this.#track(this.#pumpInPace(lane))
      return
    }
    for (let next = this.#take(lane); next; next = this.#take(lane)) this.#start(lane, next)
  }

  async #pumpInPace(lane: Lane) {
    lane.pacing = true
    try {
      for (let next = this.#take(lane); next; next = this.#take(lane)) {
        await this.#leave(next, lane.perSecond)
        if (this.#stopping) return await this.#giveBack(lane, next)
        this.#start(lane, next)
      }
    } finally {
      lane.pacing = false
    }
  }

  /** The lane's next, with a place to send it; where there is none, it is told when there is. */
  #take(lane: Lane): Taken | undefined {
    if (!lane.mayStart) return undefined
    if (!this.#sending.mayStart(lane)) {
      this.#sending.holdBack(lane)
      return undefined
    }
    const next = lane.take()
    if (next) this.#sending.begin(lane)
    return next
  }

  #start(lane: Lane, next: Taken) {
    this.#track(this.#send(lane, next).finally(() => this.#goOn(lane)))
  }

  /** A place is free: whoever was held back comes first. */
  #goOn(lane: Lane) {
    this.#sending.end(lane)
    for (let other = this.#sending.next(); other; other = this.#sending.next()) this.#pump(other)
    this.#pump(lane)
  }

  /** Waits until the endpoint's pace allows one more. */
  async #leave({ endpointId }: Taken, perSecond: number | null) {
    while (perSecond !== null && !this.#stopping) {
      const waitMs = await askToSend(this.context.shared, endpointId, perSecond)
      if (waitMs === 0) return
      await Bun.sleep(waitMs)
    }
  }

  async #giveBack(lane: Lane, claimed: Claimed) {
    lane.drop(claimed)
    await releaseLeases(this.context.sql, [claimed])
  }

  #track(work: Promise<void>) {
    const tracked = work
      .catch((err) => this.context.log.error({ err }, 'a webhook delivery broke'))
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #send(lane: Lane, claimed: Taken) {
    const { webhookOutbound, vault, processes } = this.context
    // Held up for long, this process may be dead to others, who have it by now.
    if (!processes.hasLease) await processes.sure()
    if (claimed.holder !== processes.number) return lane.drop(claimed)
    if (Date.now() - claimed.takenAt > LEASE_USABLE_MS) return this.#giveBack(lane, claimed)
    const secrets = this.#secretsOf(claimed, vault)
    if (!secrets) return lane.drop(claimed)
    const made = await attempt(webhookOutbound, { ...claimed, secrets })
    lane.done(claimed, made)
    this.#unwritten.push({ claimed, attempt: made })
    this.#writing ??= this.#writeSoon()
    if (lane.isHungry) this.#rounds.wake()
  }

  /** With another encryption key than the one they were sealed with, nothing is sent; it is tried again when the lease is over. */
  #secretsOf({ endpointId, secrets }: Taken, vault: Context['vault']) {
    try {
      return openSecrets(vault, endpointId, secrets)
    } catch (err) {
      this.context.log.error({ err, endpointId }, 'the secret of a webhook endpoint cannot be read: is ENCRYPTION_KEY another one?')
      return null
    }
  }

  async #writeSoon() {
    await Bun.sleep(GATHER_MS)
    while (this.#unwritten.length > 0 && !this.#stopping) {
      const written = await this.#write()
      if (!written) await Bun.sleep(AFTER_FAILURE_MS)
    }
    this.#writing = null
  }

  /** All outcomes that there are, in one statement; kept for the next time where the database does not answer. */
  async #write(): Promise<boolean> {
    const batch = this.#unwritten
    if (batch.length === 0) return true
    this.#unwritten = []
    const failure = await this.#settle(batch)
    if (failure === null) return true
    const kept = isAway(failure) ? batch : await this.#writeApart(batch)
    this.#unwritten = [...kept, ...this.#unwritten]
    return kept.length === 0
  }

  /** Project by project, so that what cannot be written of one holds up no other; gives back what was not. */
  async #writeApart(batch: readonly Settlement[]): Promise<Settlement[]> {
    const kept: Settlement[] = []
    for (const theirs of Map.groupBy(batch, ({ claimed }) => claimed.projectId).values())
      if ((await this.#settle(theirs)) !== null) kept.push(...theirs)
    return kept
  }

  /** Null where they are written. */
  async #settle(batch: readonly Settlement[]): Promise<unknown> {
    try {
      await settle(this.context.sql, batch, this.context.log)
      // What waited for these in their order can go now.
      if (batch.some(({ claimed }) => claimed.orderKey !== null)) this.wake()
      return null
    } catch (err) {
      if (!isAway(err)) this.context.log.error({ err }, 'outcomes of webhooks could not be written; trying again')
      return err
    }
  }
}
