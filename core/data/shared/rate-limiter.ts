import { evictOldest } from '../../lib/evict-oldest.ts'

/** At most `calls` in any `seconds`, wherever those begin. */
export interface Window {
  readonly calls: number
  readonly seconds: number
}

export interface AcquireOptions {
  /** The part of every window that may be used, 0 to 1; the rest is left to others. */
  readonly share?: number
  /** Asked where nothing is known of the key: how many milliseconds ago each place was taken. */
  readonly remember?: () => Promise<readonly number[]>
}

export interface PeekOptions extends AcquireOptions {
  /** Where there is no place now, answers a time of one's own, behind all who asked before: who waits need not come all at once. */
  readonly line?: boolean
}

export interface Slot {
  /** 0 where a place was taken; else the milliseconds until there may be one. */
  readonly waitMs: number
  /**
   * To be told when the call was answered or given up. Only then is it certain that it has arrived, so the place counts until a window's
   * length after that: however late a call arrives, no window on the other side sees more than it allows.
   */
  done(): Promise<void>
}

/** Turns at something that others limit, such as a carrier's account. */
export interface RateLimiter {
  /** Takes a place in all windows of `key` at once, or none. */
  take(key: string, windows: readonly Window[], options?: AcquireOptions): Promise<Slot>
  /** The milliseconds until there may be a place; takes none. */
  peek(key: string, windows: readonly Window[], options?: PeekOptions): Promise<number>
  /** Nobody gets a turn of `key` for so long. */
  pause(key: string, ms: number): Promise<void>
}

/** A call that was given up may arrive a moment later. */
const lengthMs = (seconds: number) => Math.ceil(seconds * 1000) + 100
/** A place that nobody gives back, since its process is gone, counts as if its call had been answered so long after it was taken: no call lasts longer. */
export const HELD_MS = 30_000

export const notAcquired = (waitMs: number): Slot => ({ waitMs, done: async () => {} })

interface Book {
  /** Reads what was before, once. */
  remembered?: Promise<unknown> | undefined
  /** From when each place counts, oldest first; one whose call is under way lies ahead of now. */
  readonly taken: number[]
  pausedUntil: number
  /** The last time that was promised to somebody waiting. */
  lineEnd: number
}

const BOOKS_MAX = 20_000

/** On a clock that nobody sets back or forward. */
const steady = () => performance.timeOrigin + performance.now()

/** Turns of one process. */
export function rateLimiterInMemory(now: () => number = steady): RateLimiter {
  const books = new Map<string, Book>()

  function bookOf(key: string): Book {
    const book = books.get(key) ?? { taken: [], pausedUntil: 0, lineEnd: 0 }
    books.delete(key)
    books.set(key, book)
    evictOldest(books, BOOKS_MAX)
    return book
  }

  /** Nothing of this process is under way yet: what was begun before it has arrived. */
  async function fill({ taken }: Book, remember: () => Promise<readonly number[]>) {
    const ages = await remember()
    taken.unshift(...ages.map((age) => now() - Math.max(0, age - HELD_MS)).sort((a, b) => a - b))
  }

  /** Reads what was before, where that was not done yet. */
  async function recall(key: string, windows: readonly Window[], { remember }: AcquireOptions) {
    const book = bookOf(key)
    if (remember && windows.length > 0) book.remembered ??= fill(book, remember)
    await book.remembered?.catch((error) => {
      book.remembered = undefined
      throw error
    })
  }

  /** Looked at and taken at once: nobody comes between. */
  function look(key: string, windows: readonly Window[], { share = 1 }: AcquireOptions) {
    const [book, at] = [bookOf(key), now()]
    const waits = windows.map((window) => waitIn(book.taken, window, share, at))
    return { book, at, waits, waitMs: Math.max(0, book.pausedUntil - at, ...waits.map(({ ms }) => ms)) }
  }

  return {
    async take(key, windows, options = {}) {
      await recall(key, windows, options)
      const { book, at, waitMs } = look(key, windows, options)
      if (waitMs > 0 || windows.length === 0) return notAcquired(waitMs)
      insert(book.taken, at + HELD_MS)
      forgetBefore(book, windows)
      return { waitMs: 0, done: async () => giveBack(book.taken, at + HELD_MS, now()) }
    },
    async peek(key, windows, { line = false, ...options } = {}) {
      await recall(key, windows, options)
      const { book, at, waits, waitMs } = look(key, windows, options)
      if (waitMs === 0 || !line) return waitMs
      const slowest = waits.toSorted((a, b) => b.ms - a.ms)[0]
      book.lineEnd = Math.max(book.lineEnd, at + waitMs) + (slowest?.spacingMs ?? 0)
      return book.lineEnd - at
    },
    async pause(key, ms) {
      const book = bookOf(key)
      book.pausedUntil = Math.max(book.pausedUntil, now() + ms)
    },
  }
}

/** The place `calls` back must have been given up; one that is under way is taken to be answered now. */
function waitIn(taken: readonly number[], { calls, seconds }: Window, share: number, at: number) {
  const before = taken[taken.length - allowedOf(calls, share)]
  const length = lengthMs(seconds)
  return { ms: before === undefined ? 0 : Math.max(0, Math.min(before, at) + length - at), spacingMs: length / calls }
}

const allowedOf = (calls: number, share: number) => Math.max(1, Math.round(calls * share))

function insert(taken: number[], time: number) {
  taken.splice(taken.findLastIndex((other) => other <= time) + 1, 0, time)
}

function giveBack(taken: number[], held: number, at: number) {
  const place = at < held ? taken.lastIndexOf(held) : -1
  if (place === -1) return
  taken.splice(place, 1)
  insert(taken, at)
}

function forgetBefore({ taken }: Book, windows: readonly Window[]) {
  const most = Math.max(1, ...windows.map(({ calls }) => calls))
  if (taken.length > most * 2) taken.splice(0, taken.length - most)
}

/**
 * The same in Redis, on its clock: KEYS are the places (scored by when they count from), the pause, and the end of the line; ARGV are the
 * place to take (none to look), line, HELD_MS, whether to answer -1 where nothing is known, and for each window the calls allowed, its
 * length, the spacing of those who wait, and its calls.
 */
export const ACQUIRE_SLOT = `local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local place, held = ARGV[1], tonumber(ARGV[3])
if ARGV[4] == '1' and redis.call('exists', KEYS[1]) == 0 then return -1 end
local wait, spacing, most, longest = 0, 0, 0, 0
local paused = redis.call('get', KEYS[2])
if paused then wait = math.max(0, tonumber(paused) - now) end
for i = 5, #ARGV, 4 do
  local allowed, length, calls = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 3])
  local before = redis.call('zrevrange', KEYS[1], allowed - 1, allowed - 1, 'withscores')[2]
  local ms = before and math.max(0, math.min(tonumber(before), now) + length - now) or 0
  if ms > wait or (ms > 0 and spacing == 0) then spacing = tonumber(ARGV[i + 2]) end
  wait, most, longest = math.max(wait, ms), math.max(most, calls), math.max(longest, length)
end
if wait == 0 then
  if place ~= '' and most > 0 then
    redis.call('zadd', KEYS[1], now + held, place)
    redis.call('zremrangebyrank', KEYS[1], 0, -most - 1)
    redis.call('pexpire', KEYS[1], longest + held)
  end
  return 0
end
if ARGV[2] == '0' then return wait end
local lineEnd = math.max(tonumber(redis.call('get', KEYS[3]) or '0'), now + wait) + spacing
redis.call('set', KEYS[3], string.format('%.0f', lineEnd), 'PX', math.max(1, math.floor(lineEnd - now)))
return math.ceil(lineEnd - now)`

export const acquireArguments = (
  place: string,
  windows: readonly Window[],
  { share = 1, line = false, remember }: PeekOptions,
): string[] => [
  place,
  line ? '1' : '0',
  String(HELD_MS),
  remember && windows.length > 0 ? '1' : '0',
  ...windows.flatMap(({ calls, seconds }) => {
    const length = lengthMs(seconds)
    return [allowedOf(calls, share), length, Math.ceil(length / calls), calls].map(String)
  }),
]

/** What was taken before, unless somebody wrote it down meanwhile; others may be at it still. The first place keeps an empty book a book. */
export const REMEMBER_CALLS = `if redis.call('exists', KEYS[1]) == 1 then return 0 end
local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('zadd', KEYS[1], 0, 'begun')
for i = 3, #ARGV do redis.call('zadd', KEYS[1], now - tonumber(ARGV[i]) + ARGV[1], 'before:' .. i) end
return redis.call('pexpire', KEYS[1], ARGV[2])`

export const rememberArguments = (windows: readonly Window[], ages: readonly number[]): string[] =>
  [HELD_MS, Math.max(...windows.map(({ seconds }) => lengthMs(seconds))) + HELD_MS, ...ages.map(Math.round)].map(String)

/** The place counts from now, on Redis' clock. */
export const RELEASE_SLOT = `local t = redis.call('time')
return redis.call('zadd', KEYS[1], 'XX', 'LT', t[1] * 1000 + math.floor(t[2] / 1000), ARGV[1])`

/** Until when, on Redis' clock; a shorter pause never ends a longer one. */
export const PAUSE_CALLS = `local t = redis.call('time')
local ends = t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[1])
if ends > tonumber(redis.call('get', KEYS[1]) or '0') then redis.call('set', KEYS[1], string.format('%.0f', ends), 'PX', ARGV[1]) end
return 1`
