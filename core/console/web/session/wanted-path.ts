const WANTED = 'serai.wanted'
const signInPaths = ['/', '/sign-in', '/sign-up', '/link', '/social-return', '/forgot-password']

/** Returns true for the pages of a sign-in, from which a signed-in user goes on. */
export const isSignInPath = (path: string): boolean => path !== '/' && signInPaths.includes(path)

/**
 * Keeps the path that a user wanted before the sign-in, for this tab alone. `path` is one of the router, and so never leads to another
 * server: nothing of an address that somebody may have written decides where a sign-in leads.
 */
export function keepWantedPath(path: string, search: string): void {
  if (!signInPaths.includes(path)) sessionStorage.setItem(WANTED, search === '' ? path : `${path}?${search}`)
}

/** Returns the path that the user wanted before the sign-in, or the start. */
export const wantedPath = (): string => sessionStorage.getItem(WANTED) ?? '/'

/** Forgets the path that the user wanted. */
export const forgetWantedPath = (): void => sessionStorage.removeItem(WANTED)
