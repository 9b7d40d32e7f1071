/** Keys in the storage of this tab: when a lost part loaded the page anew, and the script that the page ran before. */
const RELOADED_AT = 'serai.reloadedAt'
const SCRIPT_BEFORE = 'serai.scriptBefore'
const A_MINUTE_MS = 60_000
const PAUSE_MS = 2_000
const ANSWER_WITHIN_MS = 10_000

/** Tells while a part that is being loaded is still wanted. */
type IsWanted = () => boolean

/** Starts to watch whether the user stays at the path that they opened. */
function watchPath(): IsWanted {
  const opened = location.pathname
  return () => location.pathname === opened
}

/** Waits until the server answers: after an upgrade it may still be starting, and there may be no network. False if nobody waits any longer. */
async function serverAnswers(isWanted: IsWanted): Promise<boolean> {
  while (isWanted()) {
    const answer = fetch('/console', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    if (await answer.then((response) => response.ok).catch(() => false)) return isWanted()
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return false
}

const hasJustReloaded = () => Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < A_MINUTE_MS
const scriptOfPage = () => document.querySelector('script[src]')?.getAttribute('src') ?? ''

/**
 * Wraps the loading of a part of the console. A part that is gone, as after an upgrade of the server, loads the page anew as soon as the
 * server answers and while the part is wanted: a user who has gone elsewhere keeps what they type there. A second failure within a minute
 * is thrown.
 */
export const loadPart =
  <Part>(load: () => Promise<Part>, watch: () => IsWanted = watchPath) =>
  (): Promise<Part> => {
    const isWanted = watch()
    return load().catch(async (error: unknown) => {
      if (hasJustReloaded() || !(await serverAnswers(isWanted))) throw error
      sessionStorage.setItem(RELOADED_AT, String(Date.now()))
      sessionStorage.setItem(SCRIPT_BEFORE, scriptOfPage())
      location.reload()
      return new Promise<Part>(() => {})
    })
  }

/** Returns true once after the page was loaded anew and has another version. */
export function takeNewVersion(): boolean {
  const before = sessionStorage.getItem(SCRIPT_BEFORE)
  sessionStorage.removeItem(SCRIPT_BEFORE)
  return before !== null && before !== scriptOfPage()
}
