import { readFileSync } from 'node:fs'
import { Value } from '@sinclair/typebox/value'
import { NO_ADAPTER } from '../../kind.ts'
import { type AdapterCall, unavailableError } from './call.ts'
import type { ProcessLaunch } from './deno.ts'
import { parseJson } from './parse-json.ts'
import { openPipes, type ProcessPipes } from './pipes.ts'
import { type DeclaredAdapter, Manifest, type ProcessMessage } from './protocol.ts'
import { GRACE_MS, OVERRUN, RunningCalls } from './running-calls.ts'
import { semaphore } from './semaphore.ts'

/** Running process of one adapter. A failure of it affects only its own calls. */
export interface AdapterProcess {
  readonly pid: number
  /** Resolves with the declarations of its bundle; rejects if it did not load. */
  readonly ready: Promise<readonly DeclaredAdapter[]>
  /** Calls a function of the adapter. Waits while 16 calls run. */
  call(call: AdapterCall): Promise<unknown>
  /** Returns the number of waiting and running calls. */
  busy(): number
  /** Kills the process if it uses too much memory; with `ping` also if it missed several pings. */
  look(ping: boolean): void
  /** Suspends the process while no call runs, until the next call. */
  suspend(): void
  /** Kills the process and waits for its end. */
  stop(): Promise<void>
  /** Returns true if it accepts no further calls, because a call exceeded its deadline. It ends when the other calls are done. */
  leaving(): boolean
  /** Returns true if it was ended because it was not needed, or for a call that overran; false if it failed itself. */
  stopped(): boolean
  /** Resolves with the reason of its end. */
  readonly ended: Promise<string>
}

/** Limits of a process: heap in MiB, and time to load in milliseconds. */
export interface ProcessLimits {
  readonly memoryMb: number
  readonly loadMs: number
}

const CALLS_AT_ONCE = 16
const CALLS_WAITING = 200
const MISSED_MAX = 4
const MANIFEST_BYTES_MAX = 2 * 1024 * 1024
/** Memory for buffers besides the heap: results and labels of 20 MB, several at a time. */
const BUFFERS_MB = 96
const PAGE_BYTES = 4096
const NOT_NEEDED = 'it is not needed any more'
const WITHOUT_PAUSE = 'it does not answer: it works without a pause, or not at all'

/** Thrown by a process that accepts no further calls. The call was not started. */
export class ProcessDraining extends Error {}

/** Starts a process and sends it the bundle's code. `report` receives its error output, shortened. */
export const startProcess = (launch: ProcessLaunch, code: string, limits: ProcessLimits, report: (text: string) => void): AdapterProcess =>
  new BundleProcess(launch, code, limits, report)

class BundleProcess implements AdapterProcess {
  readonly #pipes: ProcessPipes
  readonly #loading: BundleLoading
  readonly #calls: RunningCalls
  readonly #slots = semaphore(CALLS_AT_ONCE, CALLS_WAITING, 'this adapter')
  readonly #memoryBytes: number
  #missedPings = 0
  #isResponsive = true
  #leaving: 'listening' | 'finishing' | undefined
  #state: 'new' | 'called' | 'idle' | 'halted' = 'new'

  constructor(launch: ProcessLaunch, code: string, { memoryMb, loadMs }: ProcessLimits, report: (text: string) => void) {
    this.#memoryBytes = (memoryMb + BUFFERS_MB) * 1024 * 1024
    this.#pipes = openPipes(launch, {
      onMessage: (message, bytes) => this.#handleMessage(message, bytes),
      onEnd: (reason) => this.#handleEnd(reason),
      onStderr: report,
    })
    this.#loading = awaitManifest(this.#pipes, loadMs)
    this.#calls = new RunningCalls(this.#pipes)
    this.#pipes.send({ type: 'load' }, new TextEncoder().encode(code))
  }

  get pid() {
    return this.#pipes.pid
  }

  get ready() {
    return this.#loading.declared
  }

  get ended() {
    return this.#pipes.ended
  }

  busy() {
    return this.#slots.inside() + this.#slots.waiting()
  }

  leaving() {
    return this.#leaving !== undefined
  }

  stopped() {
    const cause = this.#pipes.cause()
    return cause === NOT_NEEDED || cause === OVERRUN
  }

  async call(call: AdapterCall): Promise<unknown> {
    await this.#slots.enter(call.context.signal)
    if (this.#state === 'halted') this.#pipes.resume()
    this.#state = 'called'
    try {
      if (this.#leaving) throw new ProcessDraining()
      await this.#loading.declared.catch((error: Error) => Promise.reject(endedError(error.message)))
      const cause = this.#pipes.cause()
      if (cause !== undefined) throw endedError(cause)
      call.context.signal.throwIfAborted()
      return await this.#calls.run(call, () => this.#drain()).finally(() => this.#endIfDone())
    } finally {
      this.#slots.leave()
      if (this.busy() === 0) this.#state = 'idle'
    }
  }

  look(ping: boolean) {
    if (privateBytes(this.pid) > this.#memoryBytes) return this.#pipes.kill('it uses too much memory')
    if (!ping) return
    if (++this.#missedPings > MISSED_MAX) return this.#pipes.kill(WITHOUT_PAUSE)
    this.#pipes.send({ type: 'ping' })
  }

  suspend() {
    if (this.#state !== 'idle' || this.#leaving) return
    this.#state = 'halted'
    this.#pipes.suspend()
  }

  async stop() {
    this.#pipes.kill(NOT_NEEDED)
    await this.#pipes.ended
  }

  #handleMessage(message: ProcessMessage, bytes: Uint8Array) {
    this.#isResponsive = true
    if (message.type === 'ready') return this.#loading.accept(bytes)
    if (message.type === 'failed') return this.#loading.fail(message.message)
    if (message.type === 'pong') {
      this.#missedPings = 0
      return
    }
    this.#calls.handle(message, bytes)
  }

  #handleEnd(reason: string) {
    this.#loading.fail(reason)
    this.#calls.rejectAll(endedError(reason))
  }

  /**
   * Stops accepting calls after one overran its deadline: only ending the process stops its code. If the process answers a ping, its other
   * calls may finish first.
   */
  #drain() {
    if (this.#leaving) return
    this.#leaving = 'listening'
    this.#isResponsive = false
    this.#pipes.send({ type: 'ping' })
    setTimeout(() => {
      if (!this.#isResponsive) return this.#pipes.kill(WITHOUT_PAUSE)
      this.#leaving = 'finishing'
      this.#endIfDone()
    }, GRACE_MS)
  }

  #endIfDone() {
    if (this.#leaving === 'finishing' && this.#calls.count === 0) this.#pipes.kill(OVERRUN)
  }
}

interface BundleLoading {
  /** Resolves with the declarations of the bundle; rejects if it did not load. */
  readonly declared: Promise<readonly DeclaredAdapter[]>
  /** Accepts the declarations, which are sent once. */
  accept(manifest: Uint8Array): void
  fail(reason: string): void
}

/** Waits at most `loadMs` for the declarations of a bundle. Kills a process whose bundle does not load. */
function awaitManifest(pipes: Pick<ProcessPipes, 'kill'>, loadMs: number): BundleLoading {
  const loaded = Promise.withResolvers<readonly DeclaredAdapter[]>()
  const timer = setTimeout(() => pipes.kill(`it did not load within ${loadMs} ms`), loadMs)
  let isAnswered = false
  loaded.promise.then(
    () => clearTimeout(timer),
    (error: Error) => pipes.kill(error.message),
  )
  return {
    declared: loaded.promise,
    accept(bytes) {
      if (isAnswered) return pipes.kill('it sent "ready" twice')
      isAnswered = true
      if (bytes.length > MANIFEST_BYTES_MAX) return loaded.reject(new Error('declares too much'))
      const manifest = parseJson(bytes)
      if (Value.Check(Manifest, manifest)) loaded.resolve(manifest)
      else loaded.reject(new Error(NO_ADAPTER))
    },
    fail(reason) {
      clearTimeout(timer)
      loaded.reject(new Error(reason))
    },
  }
}

const endedError = (reason: string) => unavailableError(`The adapter's process ended: ${reason}.`)

/** Returns the resident memory of a process without shared pages; 0 if it cannot be read. */
function privateBytes(pid: number): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
    return (resident! - shared!) * PAGE_BYTES
  } catch {
    return 0
  }
}
