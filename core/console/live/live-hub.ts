import type { Context } from '../../context.ts'
import type { Sql } from '../../data/sql.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { type Audience, type HintBatch, HintGatherer } from './gather-hints.ts'
import { liveErrors } from './live.errors.ts'
import { LIVE_LIMITS, type LiveHint } from './live.model.ts'
import { LiveStream, type LiveStreamOptions } from './live-stream.ts'

const CHANNEL = 'live-hints'
/** Streams whose access is checked at the same time. */
const CHECKS_AT_ONCE = 4

/** Audiences of a stream: its store by project, and its user. */
export interface StreamOwner {
  readonly projectId: string
  readonly userId: string
}

/** Bounds on the open streams of one process. */
export interface StreamBounds {
  readonly perUser: number
  readonly all: number
}

type Needs = Pick<Context, 'sql' | 'shared' | 'credentialCaches'>

const hubs = new WeakMap<Sql, LiveHub>()

/** Returns the hub of the process whose transactions this pool runs. Undefined in programs that serve no requests. */
export const liveHubOf = (sql: Sql): LiveHub | undefined => hubs.get(sql)

/** Opens the hub of this process, connected to those of other processes. */
export async function openLiveHub(context: Needs, bounds: StreamBounds = LIVE_LIMITS): Promise<LiveHub> {
  const hub = new LiveHub(context, bounds)
  await hub.start()
  hubs.set(context.sql, hub)
  return hub
}

/** Open live streams of this process, and the hints on their way to those of all processes. */
export class LiveHub {
  readonly #gatherer: HintGatherer
  readonly #streams = new Map<LiveStream, StreamOwner>()
  readonly #byAudience = new Map<Audience, Set<LiveStream>>()
  #unsubscribe: readonly (() => void)[] = []
  #isDraining = false
  #sweeping: Promise<void> | undefined
  #mustSweepAgain = false

  constructor(
    readonly context: Needs,
    readonly bounds: StreamBounds,
  ) {
    this.#gatherer = new HintGatherer((batches) => void context.shared.publish(CHANNEL, JSON.stringify(batches)))
  }

  async start(): Promise<void> {
    const { shared, credentialCaches } = this.context
    this.#unsubscribe = [
      await shared.subscribe(CHANNEL, (message) => this.#receive(JSON.parse(message))),
      credentialCaches.onEviction(() => this.#sweep()),
    ]
  }

  /** Sends a hint to the streams of all processes. */
  announce(audience: Audience, hint: LiveHint): void {
    this.#gatherer.add(audience, hint)
  }

  /** Checks the rights of these streams again, in all processes. */
  announceAccessChange(audience: Audience): void {
    this.#gatherer.addAccessChange(audience)
  }

  /** Opens a stream. Throws `rate_limited` for a user with too many, and `unavailable` for too many in all. */
  open(owner: StreamOwner, options: Omit<LiveStreamOptions, 'onEnd'>): LiveStream {
    if (this.#isDraining || this.#streams.size >= this.bounds.all) throw liveErrors.streamsFull({ retryAfterSeconds: 5 })
    const [ofProject, ofUser] = [`project ${owner.projectId}`, `user ${owner.userId}`] as const
    if ((this.#byAudience.get(ofUser)?.size ?? 0) >= this.bounds.perUser)
      throw liveErrors.tooManyStreams({ streamsMax: this.bounds.perUser }, { retryAfterSeconds: 5 })
    const stream: LiveStream = new LiveStream({ ...options, onEnd: () => this.#remove(stream) })
    this.#streams.set(stream, owner)
    for (const audience of [ofProject, ofUser]) {
      const all = this.#byAudience.get(audience) ?? new Set()
      this.#byAudience.set(audience, all.add(stream))
    }
    return stream
  }

  /** Ends all streams, and opens no other. */
  drain(): void {
    this.#isDraining = true
    for (const stream of this.#streams.keys()) stream.close('shutdown')
  }

  /** Sends what was gathered, and ends. */
  async stop(): Promise<void> {
    this.drain()
    this.#gatherer.flush()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await this.#sweeping
  }

  #receive(batches: readonly HintBatch[]) {
    for (const { audience, hints, access } of batches)
      for (const stream of this.#byAudience.get(audience) ?? []) {
        stream.send(hints)
        if (access) void stream.recheck()
      }
  }

  #remove(stream: LiveStream) {
    const owner = this.#streams.get(stream)
    if (!owner || !this.#streams.delete(stream)) return
    for (const audience of [`project ${owner.projectId}`, `user ${owner.userId}`] as const) {
      const left = this.#byAudience.get(audience)
      left?.delete(stream)
      if (left?.size === 0) this.#byAudience.delete(audience)
    }
  }

  /** Checks the access of all streams, since a credential was revoked. Evictions during a sweep lead to one more. */
  #sweep() {
    this.#mustSweepAgain = true
    this.#sweeping ??= this.#sweepAll().finally(() => (this.#sweeping = undefined))
  }

  async #sweepAll() {
    while (this.#mustSweepAgain && this.#streams.size > 0) {
      this.#mustSweepAgain = false
      await mapConcurrent([...this.#streams.keys()], CHECKS_AT_ONCE, (stream) => stream.recheck())
    }
  }
}
