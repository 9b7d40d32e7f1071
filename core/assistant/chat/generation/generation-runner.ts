import type { Context } from '../../../context.ts'
import type { Sql } from '../../../data/sql.ts'
import { runAs } from '../../../data/tenant-context.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { answer, nothingSpent } from './answer.ts'
import { conclude } from './conclude.ts'
import { type Ending, letGo, listFree, listUnwanted, takeUp } from './generations.queries.ts'
import { Live, Lost } from './stream.ts'

const LOOK_MS = 250
const TAKEN_AT_ONCE = 20
/** Answers that one process makes at a time. */
const LIVE_MAX = 500
const ATTEMPTS_MAX = 3

const CANCELLED = Symbol('cancelled')
const STOPPED = Symbol('stopped')

/** The answers that this process is making. */
export class Generating {
  readonly #live = new Map<string, Live>()
  readonly #working = new Set<Promise<void>>()
  /** What broke off here with no end, and under which number it was taken up. */
  readonly #adrift = new Map<string, number>()
  #context: Context | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopped = false
  #unlisten = () => {}

  find = (id: string): Live | undefined => this.#live.get(id)

  begin(context: Context) {
    this.#context = context
    this.#unlisten = context.processes.onFenced(() => this.#abortAll(new Lost()))
    this.#later()
  }

  /** Somebody has just begun one: it need not wait until it is looked for. */
  take(id: string): void {
    if (this.#context && !this.#stopped && this.#live.size < LIVE_MAX) this.#keep(this.#run(this.#context, id))
  }

  /** Ends it here and now, where it is made here. */
  cancel = (id: string): void => this.#live.get(id)?.controller.abort(CANCELLED)

  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#unlisten()
    this.#abortAll(STOPPED)
    await Promise.allSettled(this.#working)
  }

  #abortAll(why: unknown) {
    for (const { controller } of this.#live.values()) controller.abort(why)
  }

  #keep(work: Promise<void>) {
    const kept = work
      .catch((err: unknown) => this.#context?.log.error({ err }, 'an answer was not made'))
      .finally(() => this.#working.delete(kept))
    this.#working.add(kept)
  }

  #later() {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      if (this.#context) this.#keep(this.#look(this.#context).finally(() => this.#later()))
    }, LOOK_MS)
  }

  /** For those that nobody works on, and for who wants one of ours to end. */
  async #look({ sql, processes, log }: Context) {
    try {
      await this.#letGoOfAdrift(sql)
      const [free, unwanted] = await Promise.all([
        listFree(sql, TAKEN_AT_ONCE),
        this.#live.size > 0 ? listUnwanted(sql, [...this.#live.keys()], processes.number) : [],
      ])
      for (const { id } of free) this.take(id)
      for (const { id, cancelRequested } of unwanted) this.#live.get(id)?.controller.abort(cancelRequested ? CANCELLED : new Lost())
    } catch (err) {
      log.debug({ err }, 'answers were not looked after')
    }
  }

  /** Whoever takes such a one up next ends it: else it would run for ever, with nobody at it, and keep its person from asking more. */
  async #letGoOfAdrift(sql: Sql) {
    for (const [id, process] of this.#adrift) {
      if (!this.#live.has(id)) await letGo(sql, id, process)
      this.#adrift.delete(id)
    }
  }

  async #run(context: Context, id: string) {
    const process = await context.processes.sure()
    try {
      const row = await takeUp(context.sql, id, process)
      if (row) await this.#carry(context, new Live(context.sql, row, process), process)
    } catch (error) {
      this.#adrift.set(id, process)
      throw error
    }
  }

  async #carry(context: Context, live: Live, process: number) {
    const { id, userId } = live.row
    this.#live.set(id, live)
    try {
      await runAs(userId, () => this.#make(context, live, process))
    } finally {
      live.end()
      this.#live.delete(id)
    }
  }

  async #make(context: Context, live: Live, process: number) {
    const spent = nothingSpent()
    const ending = await this.#endingOf(context, live, spent)
    if (ending === null) return void (await letGo(context.sql, live.row.id, process))
    const last = await conclude(context.sql, live.row, process, { ...ending, ...spent })
    if (last) live.show([last])
    if (last && ending.state === 'completed') void this.#look(context)
  }

  /** Null where it is to go on elsewhere. */
  async #endingOf(
    context: Context,
    live: Live,
    spent: ReturnType<typeof nothingSpent>,
  ): Promise<Pick<Ending, 'state' | 'reason' | 'problem'> | null> {
    const { row, controller } = live
    if (row.cancelRequested) return cancelled
    // What somebody may have seen, or a tool may have done, is not done again.
    if (row.lastSeq > 0 || row.attempts > ATTEMPTS_MAX) return interrupted
    try {
      const reason = await answer(context, live, spent)
      await live.flush()
      return { state: 'completed', reason, problem: null }
    } catch (error) {
      await live.flush().catch(() => {})
      const why: unknown = controller.signal.aborted ? controller.signal.reason : error
      if (why === CANCELLED) return cancelled
      if (why === STOPPED || why instanceof Lost) return null
      return { state: 'failed', reason: 'error', problem: problemOf(context, why) }
    }
  }
}

const cancelled = { state: 'cancelled', reason: 'cancelled', problem: null } as const
const interrupted = {
  state: 'failed',
  reason: 'interrupted',
  problem: 'The server that made this answer stopped. What had come by then is kept: ask once more.',
} as const

function problemOf({ log }: Context, error: unknown): string {
  if (error instanceof ApiError || error instanceof AdapterFailure) return error.message.slice(0, 500)
  log.error({ err: error }, 'an answer failed')
  return 'Something went wrong on our side. Ask once more.'
}
