import { DomainError } from '../../lib/errors/domain-error.ts'
import { type CloseReason, LIVE_LIMITS, type LiveHint, type Topic } from './live.model.ts'

/** Visible topics, checks and timing of a stream. */
export interface LiveStreamOptions {
  /** Topics that the user may see. */
  readonly topics: ReadonlySet<Topic>
  /** Checks that the session lives and the rights are those of the beginning. Rejects otherwise. */
  checkAccess(): Promise<void>
  /** Called once, when the client or the server has ended the stream. */
  onEnd(): void
  readonly heartbeatMs?: number
  readonly lifeMs?: number
  readonly bufferBytes?: number
}

const encoder = new TextEncoder()
const frame = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
/** Milliseconds after which browsers connect again. */
const RETRY_MS = 2_000

/** One stream of server-sent events to a client: `ready`, then `hint` for each change, and `closed` with the reason at its end. */
export class LiveStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #options: LiveStreamOptions
  readonly #timers: readonly NodeJS.Timeout[]
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #hasEnded = false

  constructor(options: LiveStreamOptions) {
    const { heartbeatMs = LIVE_LIMITS.heartbeatMs, lifeMs = LIVE_LIMITS.lifeMs, bufferBytes = LIVE_LIMITS.bufferBytes } = options
    this.#options = options
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.#end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
    )
    this.#timers = [setInterval(() => this.#beat(), heartbeatMs), setTimeout(() => this.close('expired'), lifeMs)]
    this.#write(`retry: ${RETRY_MS}\n${frame('ready', {})}`)
  }

  /** Sends the hints of topics that the user may see. Ends the stream if its reader is too slow. */
  send(hints: readonly LiveHint[]): void {
    const shown = hints.filter(({ topic }) => this.#options.topics.has(topic))
    if (shown.length > 0) this.#write(shown.map((hint) => frame('hint', hint)).join(''))
  }

  /** Ends the stream if the session is over or the rights have changed. */
  async recheck(): Promise<void> {
    await this.#options.checkAccess().catch((error) => {
      // While the database is away, nobody knows; the next beat asks again.
      if (error instanceof DomainError) this.close('access_changed')
    })
  }

  /** Tells the client why the stream ends, and ends it. */
  close(reason: CloseReason): void {
    if (this.#hasEnded) return
    this.#controller?.enqueue(encoder.encode(frame('closed', { reason })))
    this.#controller?.close()
    this.#end()
  }

  #beat() {
    this.#write(': \n\n')
    void this.recheck()
  }

  #write(text: string) {
    if (this.#hasEnded) return
    this.#controller?.enqueue(encoder.encode(text))
    if ((this.#controller?.desiredSize ?? 0) < 0) this.close('slow')
  }

  #end() {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#options.onEnd()
  }
}
