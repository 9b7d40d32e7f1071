const RELOADED = 'serai.reloaded'

/**
 * Reloads the page once when a file of it is gone, as after an upgrade of the server. A second failure within a minute is left to the error
 * page.
 */
export function reloadOnMissingChunk(): void {
  addEventListener('unhandledrejection', ({ reason }) => {
    if (!(reason instanceof TypeError) || !/module|import/i.test(reason.message)) return
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
    if (Date.now() - last < 60_000) return
    sessionStorage.setItem(RELOADED, String(Date.now()))
    location.reload()
  })
}
