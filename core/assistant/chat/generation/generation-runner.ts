import type { Context } from '../../../context.ts'
import type { Sql } from '../../../data/sql.ts'
import { runAs } from '../../../data/tenant-context.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { describeError } from '../../../lib/errors/describe-error.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { concludeGeneration } from './conclude.ts'
import { emptyUsage, generateAnswer } from './generate-answer.ts'
import {
  claimGeneration,
  type GenerationEnding,
  type GenerationKey,
  listGenerationsToAbort,
  listUnclaimedGenerations,
  releaseGeneration,
} from './generations.queries.ts'
import { LeaseLost, LiveGeneration } from './stream.ts'

/** Interval of polls for unclaimed and cancelled generations. */
const POLL_MS = 250
/** Generations that one poll claims. */
const CLAIMS_MAX = 20
/** Generations that one process runs at the same time. */
const LIVE_MAX = 500
/** Claims after which a generation ends as interrupted. */
const ATTEMPTS_MAX = 3

const CANCELLED = Symbol('cancelled')
const STOPPED = Symbol('stopped')

/** Runs generations in this process: claims them, generates the answers, and ends or releases them. */
export class GenerationRunner {
  readonly #live = new Map<string, LiveGeneration>()
  readonly #running = new Set<Promise<void>>()
  /** Generations that failed here without an end, with the process number that claimed them. */
  readonly #unreleased = new Map<string, { readonly key: GenerationKey; readonly process: number }>()
  #context: Context | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopped = false
  #unlisten = () => {}

  /** Returns the generation when it runs in this process. */
  find = (id: string): LiveGeneration | undefined => this.#live.get(id)

  /** Starts the poll loop, and aborts all generations when the process loses its lease. */
  start(context: Context) {
    this.#context = context
    this.#unlisten = context.processes.onFenced(() => this.#abortAll(new LeaseLost()))
    this.#schedulePoll()
  }

  /** Runs a new generation at once, without waiting for the next poll. Does nothing at the limit; a poll claims it later. */
  run(key: GenerationKey): void {
    if (this.#context && !this.#stopped && this.#live.size < LIVE_MAX) this.#track(this.#run(this.#context, key))
  }

  /** Cancels a generation that runs in this process. Others are cancelled by the poll of their process. */
  cancel = (id: string): void => this.#live.get(id)?.controller.abort(CANCELLED)

  /** Stops polling, releases the running generations to other processes, and waits for them. */
  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#unlisten()
    this.#abortAll(STOPPED)
    await Promise.allSettled(this.#running)
  }

  #abortAll(reason: unknown) {
    for (const { controller } of this.#live.values()) controller.abort(reason)
  }

  #track(work: Promise<void>) {
    const tracked = work
      .catch((err: unknown) => this.#context?.log.error({ err }, 'a generation failed'))
      .finally(() => this.#running.delete(tracked))
    this.#running.add(tracked)
  }

  #schedulePoll() {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      if (this.#context) this.#track(this.#poll(this.#context).finally(() => this.#schedulePoll()))
    }, POLL_MS)
  }

  /** Runs unclaimed generations, and aborts those of ours that were cancelled or lost. */
  async #poll({ sql, processes, log }: Context) {
    try {
      await this.#releaseFailed(sql)
      const [free, unwanted] = await Promise.all([
        listUnclaimedGenerations(sql, CLAIMS_MAX),
        this.#live.size > 0
          ? listGenerationsToAbort(
              sql,
              this.#live
                .values()
                .map(({ row }) => row)
                .toArray(),
              processes.number,
            )
          : [],
      ])
      for (const key of free) this.run(key)
      for (const { id, cancelRequested } of unwanted) this.#live.get(id)?.controller.abort(cancelRequested ? CANCELLED : new LeaseLost())
    } catch (err) {
      log.debug({ err }, 'generations could not be polled')
    }
  }

  /**
   * Releases failed generations, so that the next claim ends them. Otherwise they would stay `running` and count against the user's limit.
   */
  async #releaseFailed(sql: Sql) {
    for (const [id, { key, process }] of this.#unreleased) {
      if (!this.#live.has(id)) await releaseGeneration(sql, key, process)
      this.#unreleased.delete(id)
    }
  }

  async #run(context: Context, key: GenerationKey) {
    const process = await context.processes.waitForLease()
    try {
      const row = await claimGeneration(context.sql, key, process)
      if (row) await this.#runLive(context, new LiveGeneration(context.sql, row, process), process)
    } catch (error) {
      this.#unreleased.set(key.id, { key, process })
      throw error
    }
  }

  async #runLive(context: Context, live: LiveGeneration, process: number) {
    const { id, userId } = live.row
    this.#live.set(id, live)
    try {
      await runAs(userId, () => this.#generate(context, live, process))
    } finally {
      live.end()
      this.#live.delete(id)
    }
  }

  async #generate(context: Context, live: LiveGeneration, process: number) {
    const spent = emptyUsage()
    const ending = await this.#endingOf(context, live, spent)
    if (ending === null) return void (await releaseGeneration(context.sql, live.row, process))
    const last = await concludeGeneration(context.sql, live.row, process, { ...ending, ...spent })
    if (last) live.publishParts([last])
    if (last && ending.state === 'completed') void this.#poll(context)
  }

  /** Generates the answer. Returns how it ended, or null when another process continues. */
  async #endingOf(
    context: Context,
    live: LiveGeneration,
    spent: ReturnType<typeof emptyUsage>,
  ): Promise<Pick<GenerationEnding, 'state' | 'reason' | 'problem'> | null> {
    const { row, controller } = live
    if (row.cancelRequested) return cancelled
    // Nothing is generated twice: the user may have seen it, or a tool may have acted.
    if (row.lastSeq > 0 || row.attempts > ATTEMPTS_MAX) return interrupted
    try {
      const reason = await generateAnswer(context, live, spent)
      await live.flush()
      return { state: 'completed', reason, problem: null }
    } catch (error) {
      await live.flush().catch(() => {})
      const cause: unknown = controller.signal.aborted ? controller.signal.reason : error
      if (cause === CANCELLED) return cancelled
      if (cause === STOPPED || cause instanceof LeaseLost) return null
      return { state: 'failed', reason: 'error', problem: problemOf(context, cause) }
    }
  }
}

const cancelled = { state: 'cancelled', reason: 'cancelled', problem: null } as const
const interrupted = {
  state: 'failed',
  reason: 'interrupted',
  problem: 'The server that generated this answer stopped. The parts until then are saved: ask again.',
} as const

function problemOf({ log }: Context, error: unknown): string {
  if (error instanceof DomainError) return describeError(error).slice(0, 500)
  if (error instanceof AdapterFailure) return error.message.slice(0, 500)
  log.error({ err: error }, 'an answer failed')
  return 'Something went wrong on our side. Ask again.'
}
