import type { Logger } from 'pino'
import { type Database, isAway } from '../database/database.ts'
import { type Sql, type Tx, transaction } from '../sql.ts'
import { forgetAllBut, forgetSilent, insertProcess, leaveProcess, sayAlive } from './processes.queries.ts'

const BEAT_MS = 500
/** A process that was silent for so long is dead: what it had in hand is for others. */
export const SILENCE_MS = 3_000
/** So long after it said that it lives, nobody can have taken a process for dead. */
const SURE_MS = 2_000
/** What was taken up before a process said under which name it works is looked for so often. */
const SWEEP_MS = 20_000

export interface Dead {
  /** Under which they said that they hold jobs. */
  readonly workers: readonly string[]
  /** What nobody knows was taken up less than this ago may be a newcomer's. */
  readonly silenceMs: number
}
/** Frees what those held who live no more, in the transaction that says so. */
export type Release = (tx: Tx, dead: Dead) => Promise<unknown>

/**
 * Who works on this database, known by the database alone: each process says every half second that it lives, and one that was silent for three
 * seconds is dead to all others. What it took up stands under its number; one that was merely held up gets another number, and nothing that it
 * took up under the one before is its own any more.
 */
export interface Processes {
  readonly number: number
  /** Whether nobody can have taken this process for dead by now. Before anything is done outside, and not to be done twice: `sure`. */
  readonly hasLease: boolean
  /** Waits until it is, and gives the number that it has then. */
  sure(): Promise<number>
  /** Under which this process holds jobs. */
  readonly workers: Set<string>
  onProcessDead(release: Release): void
  /** Calls `listener` when others took this process for dead; gives back how to stop that. */
  onFenced(listener: () => void): () => void
  /** Looks after others from now on. `alone`: there are none, and whoever is said to live is dead. */
  begin(options: { readonly alone: boolean }): Promise<void>
  /** Says that it lives no more. */
  stop(): Promise<void>
}

/** Enters this process. It has a connection of its own, since it must be heard whatever the others wait for. */
export async function enterProcess(database: Pick<Database, 'pool'>, log: Logger): Promise<Processes> {
  const sql = database.pool(1)
  const entered = new Entered(sql, log, await insertProcess(sql))
  entered.run()
  return entered
}

class Entered implements Processes {
  readonly workers = new Set<string>()
  readonly #releases: Release[] = []
  readonly #lost = new Set<() => void>()
  readonly #end = Promise.withResolvers<void>()
  #next = Promise.withResolvers<void>()
  /** When it last began to say so and was heard; and since when it was without a break that others could have taken for its death. */
  #saidAt = performance.now()
  #steadySince = this.#saidAt
  #sweptAt = this.#saidAt
  #looksAfterOthers = false
  #stopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(
    private readonly sql: Sql,
    private readonly log: Logger,
    public number: number,
  ) {}

  get hasLease() {
    return performance.now() - this.#saidAt < SURE_MS
  }

  async sure() {
    while (!this.hasLease && !this.#stopped) await this.#next.promise
    return this.number
  }

  onProcessDead(release: Release) {
    this.#releases.push(release)
  }

  onFenced(listener: () => void) {
    this.#lost.add(listener)
    return () => void this.#lost.delete(listener)
  }

  async begin({ alone }: { readonly alone: boolean }) {
    if (alone)
      await transaction(this.sql, async (tx) => {
        await forgetAllBut(tx, this.number)
        await this.#release(tx, { workers: [], silenceMs: 0 })
      })
    this.#looksAfterOthers = true
  }

  run() {
    this.#running = this.#beat()
  }

  async stop() {
    this.#stopped = true
    this.#end.resolve()
    this.#next.resolve()
    await this.#running
    await leaveProcess(this.sql, this.number).catch(() => {})
    await this.sql.end({ timeout: 1 })
  }

  async #beat() {
    while (!this.#stopped) {
      await this.#once().catch((err) => isAway(err) || this.log.warn({ err }, 'the heartbeat failed'))
      await Promise.race([Bun.sleep(BEAT_MS), this.#end.promise])
    }
  }

  async #once() {
    const began = performance.now()
    const { lives, othersSilent } = await sayAlive(this.sql, this.number, [...this.workers], SILENCE_MS)
    if (!lives) await this.#enterAnew()
    // After a break of ours, or of the database's, the others need time to be heard as well.
    if (began - this.#saidAt > SILENCE_MS) this.#steadySince = began
    this.#saidAt = began
    this.#next.resolve()
    this.#next = Promise.withResolvers()
    const isSteady = began - this.#steadySince > SILENCE_MS
    const isSweep = began - this.#sweptAt > SWEEP_MS
    if (!this.#looksAfterOthers || !isSteady || !(othersSilent || isSweep)) return
    if (isSweep) this.#sweptAt = began
    await transaction(this.sql, async (tx) => {
      const dead = await forgetSilent(tx, SILENCE_MS)
      if (dead.length > 0) this.log.warn({ dead: dead.length }, 'processes say nothing any more; others go on with their work')
      const workers = dead.flatMap(({ workerIds }) => workerIds)
      if (dead.length > 0 || isSweep) await this.#release(tx, { workers, silenceMs: SILENCE_MS })
    })
  }

  async #enterAnew() {
    this.number = await insertProcess(this.sql)
    this.log.warn('this process was silent for so long that others go on with its work; it begins anew')
    for (const listener of this.#lost) listener()
  }

  async #release(tx: Tx, dead: Dead) {
    for (const release of this.#releases) await release(tx, dead)
  }
}
