import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'

const RELOADED_AT = 'serai.reloaded'
const RELOADED_SCRIPT = 'serai.reloadedScript'
const A_MINUTE_MS = 60_000
const PAUSE_MS = 2_000

/** Name of the script that the page runs, which is another in each version. */
const scriptOfPage = () => document.querySelector('script[src]')?.getAttribute('src') ?? ''

/** Waits until the server answers: after an upgrade it may still be starting, and there may be no network. */
async function serverAnswers(): Promise<void> {
  while (
    !(await fetch('/console', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}

/**
 * Wraps the loading of a part of the console. A part that is gone, as after an upgrade of the server, loads the page anew as soon as the
 * server answers. A second failure within a minute is thrown.
 */
export const loadPart =
  <Part>(load: () => Promise<Part>) =>
  (): Promise<Part> =>
    load().catch(async (error: unknown) => {
      await serverAnswers()
      if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < A_MINUTE_MS) throw error
      sessionStorage.setItem(RELOADED_AT, String(Date.now()))
      sessionStorage.setItem(RELOADED_SCRIPT, scriptOfPage())
      location.reload()
      return new Promise<Part>(() => {})
    })

/** Says once that the page was loaded anew because the console has another version. */
export function announceNewVersion(): void {
  const before = sessionStorage.getItem(RELOADED_SCRIPT)
  sessionStorage.removeItem(RELOADED_SCRIPT)
  if (before !== null && before !== scriptOfPage()) showToast(t('newVersion'))
}
