import type { Attempt } from '../webhooks.model.ts'
import type { Claimed } from './dispatch.queries.ts'

const FRESH_LIMIT = 8
const LIMIT_MIN = 2
const LIMIT_MAX = 64
/** An answer that takes longer makes its endpoint slow. */
const SLOW_MS = 1_000
const IDLE_MS = 60_000

/** The room of an endpoint that nothing is known of. */
export const FRESH_ROOM = FRESH_LIMIT
/** The room of a slow one, which no endpoint is left without. */
export const SLOW_ROOM = LIMIT_MIN

/** A claimed delivery, and when it was taken. */
export interface Taken extends Claimed {
  readonly takenAt: number
}

/** Taken in advance at most, where a pace is kept. */
const SECONDS_AHEAD = 5

/** One endpoint's share: what of it is under way and what was taken and waits here. */
export class Lane {
  readonly waiting: Taken[] = []
  readonly #busyKeys = new Set<string>()
  #limit = FRESH_LIMIT
  #inFlight = 0
  #usedAt = Date.now()
  /** Whether more than was taken may lie in the database. */
  full = false
  pacing = false
  perSecond: number | null = null

  constructor(readonly projectId: string) {}

  get inFlight() {
    return this.#inFlight
  }

  get held() {
    return this.#inFlight + this.waiting.length
  }

  get isIdle() {
    return this.held === 0 && !this.pacing && Date.now() - this.#usedAt > IDLE_MS
  }

  /** Endpoints that answer fast get some in advance, so that they need not wait for the database; a slow one holds nothing that it cannot send. */
  get room() {
    const target = this.#limit > FRESH_LIMIT ? this.#limit * 2 : this.#limit
    const paced = this.perSecond === null ? target : Math.min(target, this.perSecond * SECONDS_AHEAD)
    return Math.max(0, paced - this.held)
  }

  /** The same where its project has so much in hand that each of its endpoints is treated as a slow one. */
  get slowRoom() {
    return Math.min(this.room, Math.max(0, SLOW_ROOM - this.held))
  }

  /** Worth asking the database for more. */
  get isHungry() {
    return this.full && this.room * 2 >= this.#limit
  }

  get mayStart() {
    return this.#inFlight < this.#limit && this.waiting.length > 0
  }

  /** The next whose key is not under way. */
  take(): Taken | undefined {
    if (!this.mayStart) return undefined
    const at = this.waiting.findIndex(({ orderKey }) => orderKey === null || !this.#busyKeys.has(orderKey))
    const [next] = at < 0 ? [] : this.waiting.splice(at, 1)
    if (!next) return undefined
    if (next.orderKey !== null) this.#busyKeys.add(next.orderKey)
    this.#inFlight += 1
    this.#usedAt = Date.now()
    return next
  }

  /** It was given back instead of sent. */
  drop({ orderKey }: Claimed) {
    this.#inFlight -= 1
    if (orderKey !== null) this.#busyKeys.delete(orderKey)
  }

  /** Quick successes widen the lane, slowness narrows it. */
  done(claimed: Claimed, { durationMs, error }: Attempt) {
    this.drop(claimed)
    if (durationMs >= SLOW_MS) this.#limit = Math.max(LIMIT_MIN, Math.floor(this.#limit / 2))
    else if (error === null) this.#limit = Math.min(LIMIT_MAX, this.#limit + 1)
  }
}
