/** At most `calls` in any `seconds`, wherever those begin. */
export interface Window {
  readonly calls: number
  readonly seconds: number
}

export interface TurnOptions {
  /** Only looks: nothing is taken. */
  readonly peek?: boolean
  /** The part of every window that may be used, 0 to 1; the rest is left to others. */
  readonly share?: number
  /** Where there is no place now, answers a time of one's own, behind all who asked before: who waits need not come all at once. */
  readonly line?: boolean
}

/** Turns at something that others limit, such as a carrier's account. */
export interface Turns {
  /** Takes a place in all windows of `key` at once and answers 0; or takes none and answers the milliseconds until there is one. */
  take(key: string, windows: readonly Window[], options?: TurnOptions): Promise<number>
  /** Nobody gets a turn of `key` for so long. */
  pause(key: string, ms: number): Promise<void>
  /** Where turns are kept by this process alone: when places were taken before it began, oldest first. */
  seed?(key: string, taken: readonly number[]): void
}

/** Calls arrive a little later than they leave, and not evenly: windows are kept a little longer than they are. */
const lengthMs = (seconds: number) => Math.ceil(seconds * 1005) + 250

interface Book {
  /** When places were taken, oldest first. */
  readonly taken: number[]
  pausedUntil: number
  /** The last time that was promised to somebody waiting. */
  lineEnd: number
}

const BOOKS_MAX = 20_000

/** Turns of one process. */
export function turnsInMemory(now: () => number = Date.now): Turns {
  const books = new Map<string, Book>()

  function bookOf(key: string): Book {
    const book = books.get(key) ?? { taken: [], pausedUntil: 0, lineEnd: 0 }
    books.delete(key)
    books.set(key, book)
    if (books.size > BOOKS_MAX) books.delete(books.keys().next().value!)
    return book
  }

  return {
    async take(key, windows, { peek = false, share = 1, line = false } = {}) {
      const [book, at] = [bookOf(key), now()]
      const waits = windows.map((window) => waitIn(book.taken, window, share, at))
      const wait = Math.max(0, book.pausedUntil - at, ...waits.map(({ ms }) => ms))
      if (wait === 0) {
        if (!peek) book.taken.push(at)
        forgetBefore(book, windows)
        return 0
      }
      if (!line) return wait
      const slowest = waits.toSorted((a, b) => b.ms - a.ms)[0]
      book.lineEnd = Math.max(book.lineEnd, at + wait) + (slowest?.spacingMs ?? 0)
      return book.lineEnd - at
    },
    async pause(key, ms) {
      const book = bookOf(key)
      book.pausedUntil = Math.max(book.pausedUntil, now() + ms)
    },
    seed(key, taken) {
      const book = bookOf(key)
      book.taken.splice(0, 0, ...taken.filter((at) => at < (book.taken[0] ?? Number.POSITIVE_INFINITY)))
    },
  }
}

/** The place `calls` back must have been given up. */
function waitIn(taken: readonly number[], { calls, seconds }: Window, share: number, at: number) {
  const allowed = Math.max(1, Math.floor(calls * share))
  const before = taken[taken.length - allowed]
  const length = lengthMs(seconds)
  return { ms: before === undefined ? 0 : Math.max(0, before + length - at), spacingMs: length / calls }
}

function forgetBefore({ taken }: Book, windows: readonly Window[]) {
  const most = Math.max(1, ...windows.map(({ calls }) => calls))
  if (taken.length > most * 2) taken.splice(0, taken.length - most)
}

/**
 * The same in Redis, on its clock: KEYS are the list of taken places (newest first), the pause, and the end of the line; ARGV are
 * peek, line, and for each window the calls allowed, its length and the spacing of those who wait.
 */
export const TAKE_TURN = `local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local wait, spacing, most, longest = 0, 0, 1, 1
local paused = redis.call('get', KEYS[2])
if paused then wait = math.max(0, tonumber(paused) - now) end
for i = 3, #ARGV, 4 do
  local allowed, length, calls = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 3])
  local before = redis.call('lindex', KEYS[1], allowed - 1)
  local ms = before and math.max(0, tonumber(before) + length - now) or 0
  if ms > wait or (ms > 0 and spacing == 0) then spacing = tonumber(ARGV[i + 2]) end
  wait, most, longest = math.max(wait, ms), math.max(most, calls), math.max(longest, length)
end
if wait == 0 then
  if ARGV[1] == '0' then
    redis.call('lpush', KEYS[1], now)
    redis.call('ltrim', KEYS[1], 0, most - 1)
    redis.call('pexpire', KEYS[1], longest)
  end
  return 0
end
if ARGV[2] == '0' then return wait end
local lineEnd = math.max(tonumber(redis.call('get', KEYS[3]) or '0'), now + wait) + spacing
redis.call('set', KEYS[3], string.format('%.0f', lineEnd), 'PX', math.max(1, math.floor(lineEnd - now)))
return math.ceil(lineEnd - now)`

export const takeArguments = (windows: readonly Window[], { peek = false, share = 1, line = false }: TurnOptions): string[] => [
  peek ? '1' : '0',
  line ? '1' : '0',
  ...windows.flatMap(({ calls, seconds }) => {
    const length = lengthMs(seconds)
    return [Math.max(1, Math.floor(calls * share)), length, Math.ceil(length / calls), calls].map(String)
  }),
]

/** Until when, on Redis' clock; a shorter pause never ends a longer one. */
export const PAUSE_TURNS = `local t = redis.call('time')
local ends = t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[1])
if ends > tonumber(redis.call('get', KEYS[1]) or '0') then redis.call('set', KEYS[1], string.format('%.0f', ends), 'PX', ARGV[1]) end
return 1`
