const WANTED = 'serai.wanted'
let isLeaving = false

/** Paths of the pages of a sign-in, from which a signed-in user goes on. */
export const signInPath = /^\/(?:sign-in|sign-up|link|social-return|forgot-password)$/

/**
 * Keeps the path that a user wanted before the sign-in, for this tab alone. `path` is one of the router, and so never leads to another
 * server: nothing of an address that somebody may have written decides where a sign-in leads.
 */
export function keepWantedPath(path: string, search: string): void {
  if (!isLeaving && path !== '/' && !signInPath.test(path)) sessionStorage.setItem(WANTED, search === '' ? path : `${path}?${search}`)
}

/** Returns the path that the user wanted before the sign-in, or the start. */
export const wantedPath = (): string => sessionStorage.getItem(WANTED) ?? '/'

/** Forgets the path that the user wanted. */
export const forgetWantedPath = (): void => sessionStorage.removeItem(WANTED)

/** Forgets it for good, at a sign-out: what this page still does must not lead the next user of the tab. */
export function leaveWantedPath(): void {
  isLeaving = true
  forgetWantedPath()
}
