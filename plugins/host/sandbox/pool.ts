import { type AdapterCall, unavailableError } from './call.ts'
import type { ProcessLaunch } from './deno.ts'
import { type AdapterProcess, ProcessDraining, type ProcessLimits, startProcess } from './process.ts'
import { type Reaper, startReaper } from './reaper.ts'
import { type Semaphore, semaphore } from './semaphore.ts'

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
const WAITING_MAX = 500
const ROOM_MS = 30_000
/** Share of all processes that one bundle may use, so that calls that never end do not block other adapters. */
const SHARE = 0.75
const BACK_OFF_MS = 100
const BACK_OFF_MAX_MS = 30_000
const CHECK_MS = 100
/** Number of checks per ping of busy processes and per search for idle ones. */
const CHECKS_PER_PING = 10

const bundleOf = (key: string) => key.split(' ')[0]!

interface Slot {
  process: AdapterProcess | undefined
  /** Set while a process is being started, so that many callers start one. */
  starting: Promise<void> | undefined
  idleSince: number
  failures: number
  notBefore: number
}

/** Opens a pool. Processes start when they are needed. */
export function openPool(launch: ProcessLaunch, { processes, limits, idleMs = IDLE_MS, lookMs = CHECK_MS, report }: PoolOptions): Pool {
  const slots = new Map<string, Slot>()
  const alive = new Set<AdapterProcess>()
  const room = semaphore(processes, WAITING_MAX, 'a process')
  const sharePlaces = Math.max(1, Math.floor(processes * SHARE))
  const shares = new Map<string, Semaphore>()
  let reaper: Reaper | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let checks = 0
  let closed = false

  /** Returns the slots of idle processes, longest idle first; of one bundle, or of all. */
  const idle = (bundle?: string) =>
    [...slots]
      .filter(([key, { process }]) => process?.busy() === 0 && (bundle === undefined || bundleOf(key) === bundle))
      .map(([, slot]) => slot)
      .sort((a, b) => a.idleSince - b.idleSince)

  function shareOf(bundle: string): Semaphore {
    const share = shares.get(bundle) ?? semaphore(sharePlaces, WAITING_MAX, 'a process')
    shares.set(bundle, share)
    return share
  }

  function release(slot: Slot | undefined) {
    void slot?.process?.stop()
    if (slot) slot.process = undefined
  }

  function checkProcesses() {
    checks += 1
    const ping = checks % CHECKS_PER_PING === 0
    for (const process of alive) {
      if (ping || process.busy() > 0) process.look(ping && process.busy() > 0)
      process.rest()
    }
    if (!ping) return
    for (const slot of idle()) if (Date.now() - slot.idleSince > idleMs) release(slot)
    for (const [key, { process, starting, notBefore }] of slots)
      if (!process && !starting && Date.now() - notBefore > BACK_OFF_MAX_MS) slots.delete(key)
    if (alive.size > 0 || slots.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /**
   * Waits for a place in the bundle's share and in the pool; stops an idle process if all places are used. Returns the function that frees
   * the place.
   */
  async function waitForPlace(bundle: string): Promise<() => void> {
    const [share, patience] = [shareOf(bundle), AbortSignal.timeout(ROOM_MS)]
    const leave = () => {
      share.leave()
      if (share.inside() === 0) shares.delete(bundle)
    }
    const late = () => Promise.reject(unavailableError('Too many adapters are running. Try again later.'))
    if (share.inside() >= sharePlaces) release(idle(bundle)[0])
    await share.enter(patience).catch(late)
    if (room.inside() >= processes) release(idle()[0])
    await room.enter(patience).catch(() => {
      leave()
      return late()
    })
    return () => {
      leave()
      room.leave()
    }
  }

  async function start(key: string, code: string): Promise<AdapterProcess> {
    if (closed) throw unavailableError('The server is stopping.')
    const leave = await waitForPlace(bundleOf(key))
    if (closed) {
      leave()
      throw unavailableError('The server is stopping.')
    }
    timer ??= setInterval(checkProcesses, lookMs)
    reaper ??= startReaper()
    const process = startProcess(launch, code, limits, (words) => report(key, words))
    reaper.add(process.pid)
    alive.add(process)
    void process.ended.then(() => {
      alive.delete(process)
      reaper?.remove(process.pid)
      leave()
    })
    return process
  }

  async function processOf(key: string, code: string, slot: Slot): Promise<AdapterProcess> {
    while (!slot.process || slot.process.leaving()) {
      const wait = slot.notBefore - Date.now()
      if (wait > 0) throw unavailableError(`The adapter's process ended unexpectedly; it is started again in ${Math.ceil(wait)} ms.`)
      slot.starting ??= start(key, code)
        .then((process) => attach(key, slot, process))
        .finally(() => {
          slot.starting = undefined
        })
      await slot.starting
    }
    return slot.process
  }

  /** Attaches a process to its slot. If it ends without being stopped by us, the next start is delayed, each time longer. */
  function attach(key: string, slot: Slot, process: AdapterProcess) {
    slot.process = process
    slot.idleSince = Date.now()
    void process.ended.then((reason) => {
      if (slot.process === process) slot.process = undefined
      if (process.leaving() || !process.stopped()) report(key, reason)
      if (process.stopped()) return
      slot.failures += 1
      slot.notBefore = Date.now() + Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** (slot.failures - 1))
    })
  }

  return {
    async call(key, code, call) {
      const slot = slots.get(key) ?? { process: undefined, starting: undefined, idleSince: 0, failures: 0, notBefore: 0 }
      slots.set(key, slot)
      for (;;) {
        const process = await processOf(key, code, slot)
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
          // Another caller waits for a place, and this process has no calls.
          const isWanted = room.waiting() > 0 || (shares.get(bundleOf(key))?.waiting() ?? 0) > 0
          if (isWanted && slot.process === process && process.busy() === 0) release(slot)
        }
      }
    },
    async borrow(code, use) {
      const process = await start('manifest', code)
      try {
        return await use(process)
      } finally {
        await process.stop()
      }
    },
    retire(isKept) {
      for (const [key, slot] of slots) if (!isKept(key) && slot.process?.busy() === 0) release(slot)
    },
    pids: () => [...alive].map(({ pid }) => pid),
    async close() {
      closed = true
      clearInterval(timer)
      await Promise.all([...alive].map((process) => process.stop()))
      reaper?.close()
    },
  }
}
