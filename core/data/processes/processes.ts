import type { Logger } from 'pino'
import { type Database, isConnectionError } from '../database/database.ts'
import { type Sql, transaction } from '../sql.ts'
import { publish } from '../subscribers.ts'
import { deleteOtherProcesses, deleteProcess, deleteSilentProcesses, insertProcess, recordHeartbeat } from './processes.queries.ts'

declare module '../subscribers.ts' {
  interface DomainEvents {
    /** Processes died and their registrations are deleted. Subscribers release the work that these processes had claimed. */
    'process.died': DeadProcesses
  }
}

const BEAT_MS = 500
/** Milliseconds of silence after which a process is dead and its work is released. */
const SILENCE_MS = 3_000
/** Milliseconds after a heartbeat during which no other process can declare this one dead. */
const LEASE_MS = 2_000
/** Interval of the search for work that a process claimed before it had registered its workers. */
const SWEEP_MS = 20_000

/** Processes that died. */
export interface DeadProcesses {
  /** Ids of the workers under which they hold jobs. */
  readonly workerIds: readonly string[]
  /** Minimum age of work by unknown workers. Younger work may belong to a process that has just started. */
  readonly silenceMs: number
}

/**
 * Registry of the processes that work on this database. Each process writes a heartbeat every half second. After three seconds without one,
 * it is dead to the others. Work is claimed under a process's number. A process that was only suspended gets a new number and loses that
 * work.
 */
export interface Processes {
  readonly number: number
  /** True while no other process can have declared this one dead. Check it before an external action that must not be done twice. */
  readonly hasLease: boolean
  /** Waits until the process has a lease. Returns its number at that time. */
  waitForLease(): Promise<number>
  /** Ids of the workers under which this process holds jobs. */
  readonly workerIds: Set<string>
  /** Calls `listener` when other processes declared this one dead. Returns a function that unsubscribes. */
  onFenced(listener: () => void): () => void
  /** Starts to release the work of dead processes. `alone`: no other process exists, so all other registrations are deleted at once. */
  startReaping(options: { readonly alone: boolean }): Promise<void>
  /** Deletes the registration. */
  stop(): Promise<void>
}

/** Registers this process. Uses a connection of its own, so that heartbeats never wait for other queries. */
export async function registerProcess(database: Pick<Database, 'pool'>, log: Logger): Promise<Processes> {
  const sql = database.pool(1)
  const registered = new RegisteredProcess(sql, log, await insertProcess(sql))
  registered.run()
  return registered
}

class RegisteredProcess implements Processes {
  readonly workerIds = new Set<string>()
  readonly #fencedListeners = new Set<() => void>()
  readonly #end = Promise.withResolvers<void>()
  #nextHeartbeat = Promise.withResolvers<void>()
  /** Start of the last successful heartbeat. */
  #lastHeartbeatAt = performance.now()
  /** Start of the current series of heartbeats without a gap that others could take for a death. */
  #unbrokenSince = this.#lastHeartbeatAt
  #sweptAt = this.#lastHeartbeatAt
  #isReaping = false
  #stopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(
    private readonly sql: Sql,
    private readonly log: Logger,
    public number: number,
  ) {}

  get hasLease() {
    return performance.now() - this.#lastHeartbeatAt < LEASE_MS
  }

  async waitForLease() {
    while (!this.hasLease && !this.#stopped) await this.#nextHeartbeat.promise
    return this.number
  }

  onFenced(listener: () => void) {
    this.#fencedListeners.add(listener)
    return () => void this.#fencedListeners.delete(listener)
  }

  async startReaping({ alone }: { readonly alone: boolean }) {
    if (alone)
      await transaction(this.sql, async (tx) => {
        await deleteOtherProcesses(tx, this.number)
        await publish(tx, 'process.died', { workerIds: [], silenceMs: 0 })
      })
    this.#isReaping = true
  }

  run() {
    this.#running = this.#runHeartbeats()
  }

  async stop() {
    this.#stopped = true
    this.#end.resolve()
    this.#nextHeartbeat.resolve()
    await this.#running
    await deleteProcess(this.sql, this.number).catch(() => {})
    await this.sql.end({ timeout: 1 })
  }

  async #runHeartbeats() {
    while (!this.#stopped) {
      await this.#sendHeartbeat().catch((err) => isConnectionError(err) || this.log.warn({ err }, 'the heartbeat failed'))
      await Promise.race([Bun.sleep(BEAT_MS), this.#end.promise])
    }
  }

  async #sendHeartbeat() {
    const began = performance.now()
    const { lives, othersSilent } = await recordHeartbeat(this.sql, this.number, [...this.workerIds], SILENCE_MS)
    if (!lives) await this.#registerAgain()
    // Restarts the series after a gap, since the other processes also need time to send a heartbeat.
    if (began - this.#lastHeartbeatAt > SILENCE_MS) this.#unbrokenSince = began
    this.#lastHeartbeatAt = began
    this.#nextHeartbeat.resolve()
    this.#nextHeartbeat = Promise.withResolvers()
    const isSteady = began - this.#unbrokenSince > SILENCE_MS
    const isSweep = began - this.#sweptAt > SWEEP_MS
    if (!this.#isReaping || !isSteady || !(othersSilent || isSweep)) return
    if (isSweep) this.#sweptAt = began
    await transaction(this.sql, async (tx) => {
      const dead = await deleteSilentProcesses(tx, SILENCE_MS)
      if (dead.length > 0) this.log.warn({ dead: dead.length }, 'processes say nothing any more; others go on with their work')
      const workers = dead.flatMap(({ workerIds }) => workerIds)
      if (dead.length > 0 || isSweep) await publish(tx, 'process.died', { workerIds: workers, silenceMs: SILENCE_MS })
    })
  }

  async #registerAgain() {
    this.number = await insertProcess(this.sql)
    this.log.warn('this process was silent for so long that others go on with its work; it begins anew')
    for (const listener of this.#fencedListeners) listener()
  }
}
