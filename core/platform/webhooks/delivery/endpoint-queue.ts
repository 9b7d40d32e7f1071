import type { DeliveryAttempt } from '../webhooks.model.ts'
import type { ClaimedDelivery } from './dispatch.queries.ts'

const FRESH_LIMIT = 8
const LIMIT_MIN = 2
const LIMIT_MAX = 64
/** Duration of a response from which an endpoint is slow. */
const SLOW_MS = 1_000
const IDLE_MS = 60_000

/** Room of an endpoint without history. */
export const NEW_ENDPOINT_ROOM = FRESH_LIMIT
/** Room of a slow endpoint, the minimum for all. */
export const SLOW_ROOM = LIMIT_MIN

/** Claimed delivery and the time of its claim. */
export interface QueuedDelivery extends ClaimedDelivery {
  readonly takenAt: number
}

/** Seconds of deliveries that are claimed ahead for a rate-limited endpoint. */
const SECONDS_AHEAD = 5

/** Queue of one endpoint: deliveries under way and claimed deliveries that wait. */
export class EndpointQueue {
  readonly waiting: QueuedDelivery[] = []
  readonly #busyKeys = new Set<string>()
  #limit = FRESH_LIMIT
  #inFlight = 0
  #usedAt = Date.now()
  /** True if the database may hold more due deliveries. */
  hasMoreDue = false
  isPacing = false
  perSecond: number | null = null

  constructor(readonly projectId: string) {}

  get inFlight() {
    return this.#inFlight
  }

  get heldCount() {
    return this.#inFlight + this.waiting.length
  }

  get isIdle() {
    return this.heldCount === 0 && !this.isPacing && Date.now() - this.#usedAt > IDLE_MS
  }

  /** Number of deliveries to claim. Fast endpoints claim some ahead of time; slow ones only what they can send. */
  get room() {
    const target = this.#limit > FRESH_LIMIT ? this.#limit * 2 : this.#limit
    const paced = this.perSecond === null ? target : Math.min(target, this.perSecond * SECONDS_AHEAD)
    return Math.max(0, paced - this.heldCount)
  }

  /** Number of deliveries to claim when the project holds so many that its endpoints all count as slow. */
  get slowRoom() {
    return Math.min(this.room, Math.max(0, SLOW_ROOM - this.heldCount))
  }

  /** True if the lane needs more deliveries from the database. */
  get needsMore() {
    return this.hasMoreDue && this.room * 2 >= this.#limit
  }

  get canStart() {
    return this.#inFlight < this.#limit && this.waiting.length > 0
  }

  /** Takes the next delivery whose order key is not under way. */
  takeNext(): QueuedDelivery | undefined {
    if (!this.canStart) return undefined
    const at = this.waiting.findIndex(({ orderKey }) => orderKey === null || !this.#busyKeys.has(orderKey))
    const [next] = at < 0 ? [] : this.waiting.splice(at, 1)
    if (!next) return undefined
    if (next.orderKey !== null) this.#busyKeys.add(next.orderKey)
    this.#inFlight += 1
    this.#usedAt = Date.now()
    return next
  }

  /** Removes a delivery that was released instead of sent. */
  drop({ orderKey }: ClaimedDelivery) {
    this.#inFlight -= 1
    if (orderKey !== null) this.#busyKeys.delete(orderKey)
  }

  /** Completes a delivery. Fast successes raise the limit, slow responses halve it. */
  complete(claimed: ClaimedDelivery, { durationMs, error }: DeliveryAttempt) {
    this.drop(claimed)
    if (durationMs >= SLOW_MS) this.#limit = Math.max(LIMIT_MIN, Math.floor(this.#limit / 2))
    else if (error === null) this.#limit = Math.min(LIMIT_MAX, this.#limit + 1)
  }
}
