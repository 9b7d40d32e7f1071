import { sessionLifeMs } from '../../identity/auth/sign-in/create-session.ts'
import type { OwnSession } from '../../identity/auth/sign-in/sign-in.ts'

/** Lifetime in milliseconds above which a session is one of the user's own device. The clocks of server and database may differ a little. */
const SHARED_AT_MOST_MS = 2 * sessionLifeMs.sharedDevice

/** Returns the seconds for which the cookie of a session is kept; undefined on a shared device, where it lasts until the browser closes. */
export function remainingCookieAge({ createdAt, expiresAt }: Pick<OwnSession, 'createdAt' | 'expiresAt'>): number | undefined {
  const end = Date.parse(expiresAt)
  return end - Date.parse(createdAt) > SHARED_AT_MOST_MS ? Math.ceil((end - Date.now()) / 1000) : undefined
}
