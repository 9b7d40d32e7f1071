import { type AdapterCall, unavailableError } from './call.ts'
import type { ProcessLaunch } from './deno.ts'
import { openPlaces, type Places } from './places.ts'
import { type AdapterProcess, ProcessDraining, type ProcessLimits, startProcess } from './process.ts'
import { type Reaper, startReaper } from './reaper.ts'

/** Processes of adapters: one for each bundle and connection, so that no code ever sees the secrets of two connections. */
export interface Pool {
  /** Calls the process of `key`, and starts one with `code` if there is none. A key begins with the hash of its bundle and a space. */
  call(key: string, code: string, call: AdapterCall): Promise<unknown>
  /** Runs `use` with a process that has no connection, and stops it afterwards. */
  borrow<V>(code: string, use: (process: AdapterProcess) => Promise<V>): Promise<V>
  /** Stops idle processes whose key is not kept any more. Busy ones stop once they are idle long enough. */
  retire(isKept: (key: string) => boolean): void
  /** Returns the ids of all running processes. */
  pids(): readonly number[]
  /** Stops all processes. Later calls fail as `unavailable`. */
  close(): Promise<void>
}

/** Options of a pool. */
export interface PoolOptions {
  /** Maximum number of processes at a time. */
  readonly processes: number
  readonly limits: ProcessLimits
  readonly idleMs?: number
  /** Interval of the memory checks in milliseconds. Every tenth check also pings busy processes and stops idle ones. */
  readonly lookMs?: number
  /** Receives the error output of a process, shortened, or the reason for its end. */
  readonly report: (key: string, words: string) => void
}

const IDLE_MS = 60_000
const BACK_OFF_MS = 100
const BACK_OFF_MAX_MS = 30_000
const CHECK_MS = 100
/** Number of checks per ping of busy processes and per search for idle ones. */
const CHECKS_PER_PING = 10

const bundleOf = (key: string) => key.split(' ')[0]!
const stoppingError = () => unavailableError('The server is stopping.')

interface Slot {
  process: AdapterProcess | undefined
  /** Set while a process is being started, so that many callers start one. */
  starting: Promise<void> | undefined
  idleSince: number
  failures: number
  notBefore: number
}

/** Opens a pool. Processes start when they are needed. */
export const openPool = (launch: ProcessLaunch, options: PoolOptions): Pool => new ProcessPool(launch, options)

class ProcessPool implements Pool {
  readonly #launch: ProcessLaunch
  readonly #options: PoolOptions
  readonly #slots = new Map<string, Slot>()
  readonly #alive = new Set<AdapterProcess>()
  readonly #places: Places
  #reaper: Reaper | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #checks = 0
  #isClosed = false

  constructor(launch: ProcessLaunch, options: PoolOptions) {
    this.#launch = launch
    this.#options = options
    this.#places = openPlaces(options.processes, (bundle) => release(this.#idleSlots(bundle)[0]))
  }

  async call(key: string, code: string, call: AdapterCall): Promise<unknown> {
    const slot = this.#slots.get(key) ?? { process: undefined, starting: undefined, idleSince: 0, failures: 0, notBefore: 0 }
    this.#slots.set(key, slot)
    for (;;) {
      const process = await this.#processOf(key, code, slot)
      // In the meantime it may have been stopped to free a place.
      if (slot.process !== process) continue
      try {
        const answer = await process.call(call)
        slot.failures = 0
        return answer
      } catch (error) {
        if (!(error instanceof ProcessDraining)) throw error
      } finally {
        slot.idleSince = Date.now()
        if (this.#places.isAwaited(bundleOf(key)) && slot.process === process && process.busy() === 0) release(slot)
      }
    }
  }

  async borrow<V>(code: string, use: (process: AdapterProcess) => Promise<V>): Promise<V> {
    const process = await this.#start('manifest', code)
    try {
      return await use(process)
    } finally {
      await process.stop()
    }
  }

  retire(isKept: (key: string) => boolean) {
    for (const [key, slot] of this.#slots) if (!isKept(key) && slot.process?.busy() === 0) release(slot)
  }

  pids() {
    return [...this.#alive].map(({ pid }) => pid)
  }

  async close() {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all([...this.#alive].map((process) => process.stop()))
    this.#reaper?.close()
  }

  /** Returns the process of a slot, and starts one if there is none that accepts calls. */
  async #processOf(key: string, code: string, slot: Slot): Promise<AdapterProcess> {
    while (!slot.process || slot.process.leaving()) {
      const wait = slot.notBefore - Date.now()
      if (wait > 0) throw unavailableError(`The adapter's process ended unexpectedly; it is started again in ${Math.ceil(wait)} ms.`)
      slot.starting ??= this.#start(key, code)
        .then((process) => this.#attach(key, slot, process))
        .finally(() => {
          slot.starting = undefined
        })
      await slot.starting
    }
    return slot.process
  }

  async #start(key: string, code: string): Promise<AdapterProcess> {
    if (this.#isClosed) throw stoppingError()
    const leave = await this.#places.acquire(bundleOf(key))
    if (this.#isClosed) {
      leave()
      throw stoppingError()
    }
    const { limits, lookMs = CHECK_MS, report } = this.#options
    this.#timer ??= setInterval(() => this.#checkProcesses(), lookMs)
    this.#reaper ??= startReaper()
    const process = startProcess(this.#launch, code, limits, (words) => report(key, words))
    this.#reaper.add(process.pid)
    this.#alive.add(process)
    void process.ended.then(() => {
      this.#alive.delete(process)
      this.#reaper?.remove(process.pid)
      leave()
    })
    return process
  }

  /** Attaches a process to its slot. If it ends without being stopped by us, the next start is delayed, each time longer. */
  #attach(key: string, slot: Slot, process: AdapterProcess) {
    slot.process = process
    slot.idleSince = Date.now()
    void process.ended.then((reason) => {
      if (slot.process === process) slot.process = undefined
      if (process.leaving() || !process.stopped()) this.#options.report(key, reason)
      if (process.stopped()) return
      slot.failures += 1
      slot.notBefore = Date.now() + Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** (slot.failures - 1))
    })
  }

  /** Checks the memory of all processes and lets the idle ones rest. Every tenth time also pings the busy ones, and tidies up. */
  #checkProcesses() {
    this.#checks += 1
    const isPinging = this.#checks % CHECKS_PER_PING === 0
    for (const process of this.#alive) {
      if (isPinging || process.busy() > 0) process.look(isPinging && process.busy() > 0)
      process.suspend()
    }
    if (isPinging) this.#tidyUp()
  }

  /** Stops processes that were idle for long, forgets slots without one, and ends the checks once nothing is left. */
  #tidyUp() {
    const { idleMs = IDLE_MS } = this.#options
    for (const slot of this.#idleSlots()) if (Date.now() - slot.idleSince > idleMs) release(slot)
    for (const [key, { process, starting, notBefore }] of this.#slots)
      if (!process && !starting && Date.now() - notBefore > BACK_OFF_MAX_MS) this.#slots.delete(key)
    if (this.#alive.size > 0 || this.#slots.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Returns the slots of idle processes, longest idle first; of one bundle, or of all. */
  #idleSlots(bundle?: string): Slot[] {
    return [...this.#slots]
      .filter(([key, { process }]) => process?.busy() === 0 && (bundle === undefined || bundleOf(key) === bundle))
      .map(([, slot]) => slot)
      .sort((a, b) => a.idleSince - b.idleSince)
  }
}

/** Stops the process of a slot. */
function release(slot: Slot | undefined) {
  void slot?.process?.stop()
  if (slot) slot.process = undefined
}
