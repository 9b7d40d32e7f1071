import type { LiveHint, Topic } from './live.model.ts'
import { LIVE_LIMITS } from './live.model.ts'

/** Receivers of a hint: the streams of a store, by its project, or those of a user. */
export type Audience = `project ${string}` | `user ${string}`

/** Gathered hints of one audience, as processes send them to each other. `access` asks to check the rights of its streams again. */
export interface HintBatch {
  readonly audience: Audience
  readonly hints: readonly LiveHint[]
  readonly access: boolean
}

interface Pending {
  /** Ids by topic; null once there are too many to name. */
  readonly topics: Map<Topic, Set<string> | null>
  access: boolean
}

/** Audiences whose batches are sent in one message. */
const AUDIENCES_PER_MESSAGE = 100

/** Gathers hints for 200 ms and removes duplicates. `send` gets the batches of several audiences at once. */
export class HintGatherer {
  readonly #pending = new Map<Audience, Pending>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    readonly send: (batches: readonly HintBatch[]) => void,
    readonly gatherMs: number = LIVE_LIMITS.gatherMs,
  ) {}

  /** Adds a hint. An id of null stands for several things of the topic. */
  add(audience: Audience, { topic, id }: LiveHint): void {
    const { topics } = this.#pendingOf(audience)
    const ids = topics.get(topic)
    if (ids === null) return
    const known = ids ?? new Set()
    if (id !== null) known.add(id)
    topics.set(topic, id === null || known.size > LIVE_LIMITS.ids ? null : known)
  }

  /** Asks all processes to check the rights of these streams again. */
  addAccessChange(audience: Audience): void {
    this.#pendingOf(audience).access = true
  }

  /** Sends what was gathered. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const batches = [...this.#pending].map(([audience, { topics, access }]) => ({ audience, access, hints: hintsOf(topics) }))
    this.#pending.clear()
    for (let at = 0; at < batches.length; at += AUDIENCES_PER_MESSAGE) this.send(batches.slice(at, at + AUDIENCES_PER_MESSAGE))
  }

  #pendingOf(audience: Audience): Pending {
    const known = this.#pending.get(audience)
    if (known) return known
    const fresh: Pending = { topics: new Map(), access: false }
    this.#pending.set(audience, fresh)
    this.#timer ??= setTimeout(() => this.flush(), this.gatherMs)
    return fresh
  }
}

const hintsOf = (topics: Pending['topics']): LiveHint[] =>
  [...topics].flatMap(([topic, ids]) => (ids === null ? [null] : [...ids]).map((id) => ({ topic, id })))
