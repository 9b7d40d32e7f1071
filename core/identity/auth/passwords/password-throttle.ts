import type { BackoffPolicy } from '../../../data/backoff.ts'
import type { SharedState } from '../../../data/shared/shared.ts'
import type { Queryable } from '../../../data/sql.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/durations.ts'
import type { DomainError } from '../../../lib/errors/domain-error.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { authErrors } from '../auth.errors.ts'
import type { UserRow } from '../auth.queries.ts'
import { findNetworkProximity, type NetworkProximity, networkBlockOf } from '../sign-in/known-networks.ts'
import { verifyNormalizedPassword } from './new-password.ts'

/** Rate limits for wrong passwords, by what they are counted. One address at one account waits first and longest. */
const SPACINGS = {
  pair: { freeAttempts: 10, firstMs: 1_000, maxMs: 5 * MINUTE_MS, resetAfterMs: HOUR_MS },
  account: { freeAttempts: 20, firstMs: 1_000, maxMs: MINUTE_MS / 2, resetAfterMs: HOUR_MS },
  address: { freeAttempts: 20, firstMs: 1_000, maxMs: 5 * MINUTE_MS, resetAfterMs: HOUR_MS },
  /** Attempts of one network block while other networks exhaust the limit of the account. */
  slot: { freeAttempts: 1, firstMs: 15 * MINUTE_MS, maxMs: 4 * HOUR_MS, resetAfterMs: DAY_MS },
  /** Wait of a network block before its first such attempt. */
  queue: { freeAttempts: 1, firstMs: MINUTE_MS / 2, maxMs: MINUTE_MS / 2, resetAfterMs: DAY_MS },
} satisfies Record<string, BackoffPolicy>
type SpacingName = keyof typeof SPACINGS

/** Password to check for an account. */
export interface PasswordAttempt {
  readonly email: string
  readonly password: string
  /** User with this e-mail address, if there is one. */
  readonly user: UserRow | undefined
  readonly address: string
}

type ThrottleContext = { readonly shared: Pick<SharedState, 'backoff' | 'countHit'> }

/**
 * Checks a password. Wrong ones are counted by account and by address, and wait longer and longer (`rate_limited`). Requests from the
 * network of a valid session of the account do not wait for other people's guesses. Every other network block gets a try of its own in
 * time.
 */
export async function checkPassword(
  { shared, sql }: ThrottleContext & { readonly sql: Queryable },
  guess: PasswordAttempt,
): Promise<boolean> {
  const { email, password, user, address } = guess
  // Queried even without a user, so that the response time does not reveal if the account exists.
  const nearness = await findNetworkProximity(sql, user?.id ?? '', address)
  const made = await beginAttempt({ shared }, { email, address, nearness })
  const isRight = await verifyNormalizedPassword(password, user?.passwordHash)
  if (isRight) await made.recordSuccess()
  return isRight
}

/** Counts an attempt before it is made. Throws `rate_limited` when it has to wait. The result records that the password was correct. */
export async function beginAttempt(
  { shared: { backoff, countHit: hit } }: ThrottleContext,
  { email, address, nearness }: { readonly email: string; readonly address: string; readonly nearness: NetworkProximity },
) {
  const [account, network] = [sha256(email.toLowerCase()), networkOf(address)]
  const place = networkBlockOf(network)
  const keys = {
    pair: `guess:${account}:${network}`,
    address: `guess:at:${network}`,
    account: nearness === 'near' ? `guess:${account}:near:${place}` : `guess:${account}`,
    slot: `guess:${account}:turn:${place}`,
    queue: `guess:${account}:queue:${place}`,
  } satisfies Record<SpacingName, string>
  const acquired: string[] = []
  const release = () => Promise.all(acquired.map((key) => backoff.release(key)))
  const acquire = async (by: SpacingName) => {
    const waitMs = await backoff.acquire(keys[by], SPACINGS[by])
    if (waitMs === 0) acquired.push(keys[by])
    return waitMs
  }
  /**
   * Grants an attempt outside the limit of the account. A new network block waits first; then it gets its attempt, whatever others do
   * meanwhile.
   */
  const acquireSlot = async () => {
    const waitMs = (await acquire('slot')) || (await backoff.acquire(keys.queue, SPACINGS.queue))
    if (waitMs > 0 || (await hit(`${keys.queue}:asked`, 2 * DAY_MS)).count > 1) return waitMs
    return backoff.acquire(keys.queue, SPACINGS.queue)
  }
  const waitMs =
    (await acquire('pair')) || (await acquire('address')) || (nearness === 'home' ? 0 : (await acquire('account')) && (await acquireSlot()))
  if (waitMs > 0) {
    // The attempt is not made, so it must not count.
    await release()
    throw tooManyGuesses(waitMs)
  }
  return {
    async recordSuccess() {
      await release()
      await Promise.all([keys.pair, keys.slot].map((key) => backoff.clear(key)))
    },
  }
}

function tooManyGuesses(waitMs: number): DomainError {
  const wait = Math.ceil(waitMs / 1000)
  return authErrors.tooManyWrongPasswords({ wait }, { retryAfterSeconds: wait })
}
