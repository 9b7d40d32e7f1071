import type { Spacing } from '../../data/backoff.ts'
import type { Shared } from '../../data/shared.ts'
import type { Queryable } from '../../data/sql.ts'
import { ApiError } from '../../http/errors.ts'
import { networkOf } from '../../lib/addresses.ts'
import { sha256, verifyPassword } from '../../lib/crypto.ts'
import { type UserRow, usesAddress } from './auth.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What wrong passwords are counted by. Somebody at one address, at one account, waits first and longest. */
const SPACINGS = {
  pair: { free: 10, firstMs: 1_000, maxMs: 5 * MINUTE_MS, forgetMs: HOUR_MS },
  account: { free: 20, firstMs: 1_000, maxMs: MINUTE_MS / 2, forgetMs: HOUR_MS },
  address: { free: 20, firstMs: 1_000, maxMs: 5 * MINUTE_MS, forgetMs: HOUR_MS },
} satisfies Record<string, Spacing>

export interface Guess {
  readonly email: string
  readonly password: string
  /** Whom the e-mail address belongs to, if to anybody. */
  readonly user: UserRow | undefined
  readonly address: string
}

/**
 * Whether the password is right. Wrong ones are counted by account and by address, before they are looked at, and have to wait
 * longer and longer (`rate_limited`). Who comes from where the account's own sessions are used waits for no stranger's guesses.
 */
export async function passwordIsRight({ shared, sql }: { shared: Shared; sql: Queryable }, guess: Guess): Promise<boolean> {
  const { email, password, user } = guess
  const address = networkOf(guess.address)
  const account = sha256(email.toLowerCase())
  const keys = { pair: `guess:${account}:${address}`, account: `guess:${account}`, address: `guess:at:${address}` }
  const isKnown = user !== undefined && (await usesAddress(sql, user.id, address))
  const counted = (['pair', 'address', ...(isKnown ? [] : (['account'] as const))] as const).map((by) => [keys[by], SPACINGS[by]] as const)
  const taken: string[] = []
  const giveBack = () => Promise.all(taken.map((key) => shared.backoff.giveBack(key)))
  for (const [key, spacing] of counted) {
    const waitMs = await shared.backoff.take(key, spacing)
    if (waitMs === 0) {
      taken.push(key)
      continue
    }
    // This one is not made.
    await giveBack()
    throw tooManyGuesses(waitMs)
  }
  const isRight = await verifyPassword(password, user?.passwordHash)
  if (isRight) await Promise.all([giveBack(), shared.backoff.clear(keys.pair)])
  return isRight
}

function tooManyGuesses(waitMs: number): ApiError {
  const wait = String(Math.ceil(waitMs / 1000))
  return new ApiError('rate_limited', `Too many wrong passwords. Wait ${wait} s before the next try.`, { headers: { 'retry-after': wait } })
}
