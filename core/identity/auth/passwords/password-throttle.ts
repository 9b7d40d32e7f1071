import type { Spacing } from '../../../data/backoff.ts'
import type { Shared } from '../../../data/shared/shared.ts'
import type { Queryable } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import type { UserRow } from '../auth.queries.ts'
import { type Nearness, nearnessOf, neighbourhoodOf } from '../sign-in/known-networks.ts'
import { isPassword } from './new-password.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What wrong passwords are counted by. Somebody at one address, at one account, waits first and longest. */
const SPACINGS = {
  pair: { free: 10, firstMs: 1_000, maxMs: 5 * MINUTE_MS, forgetMs: HOUR_MS },
  account: { free: 20, firstMs: 1_000, maxMs: MINUTE_MS / 2, forgetMs: HOUR_MS },
  address: { free: 20, firstMs: 1_000, maxMs: 5 * MINUTE_MS, forgetMs: HOUR_MS },
  /** While others use up the account's: a neighbourhood's own turns, and how long it waits for the first. */
  turn: { free: 1, firstMs: 15 * MINUTE_MS, maxMs: 4 * HOUR_MS, forgetMs: DAY_MS },
  queue: { free: 1, firstMs: MINUTE_MS / 2, maxMs: MINUTE_MS / 2, forgetMs: DAY_MS },
} satisfies Record<string, Spacing>
type Counted = keyof typeof SPACINGS

export interface Guess {
  readonly email: string
  readonly password: string
  /** Whom the e-mail address belongs to, if to anybody. */
  readonly user: UserRow | undefined
  readonly address: string
}

type Keeper = { readonly shared: Pick<Shared, 'backoff' | 'hit'> }

/**
 * Whether the password is right. Wrong ones are counted by account and by address, before they are looked at, and have to wait
 * longer and longer (`rate_limited`). Who comes from where the account's own sessions are used waits for no stranger's guesses, and whoever
 * comes from elsewhere and waits as he is told has a turn that no stranger takes from him.
 */
export async function passwordIsRight({ shared, sql }: Keeper & { readonly sql: Queryable }, guess: Guess): Promise<boolean> {
  const { email, password, user, address } = guess
  // Looked for also where there is nobody: how long it takes says nothing of whether there is.
  const nearness = await nearnessOf(sql, user?.id ?? '', address)
  const made = await beginTry({ shared }, { email, address, nearness })
  const isRight = await isPassword(password, user?.passwordHash)
  if (isRight) await made.wasRight()
  return isRight
}

/** A try that may be made, and counts from now on. Throws `rate_limited` where it has to wait. */
export async function beginTry(
  { shared: { backoff, hit } }: Keeper,
  { email, address, nearness }: { readonly email: string; readonly address: string; readonly nearness: Nearness },
) {
  const [account, network] = [sha256(email.toLowerCase()), networkOf(address)]
  const place = neighbourhoodOf(network)
  const keys = {
    pair: `guess:${account}:${network}`,
    address: `guess:at:${network}`,
    account: nearness === 'near' ? `guess:${account}:near:${place}` : `guess:${account}`,
    turn: `guess:${account}:turn:${place}`,
    queue: `guess:${account}:queue:${place}`,
  } satisfies Record<Counted, string>
  const taken: string[] = []
  const giveBack = () => Promise.all(taken.map((key) => backoff.giveBack(key)))
  const take = async (by: Counted) => {
    const waitMs = await backoff.take(keys[by], SPACINGS[by])
    if (waitMs === 0) taken.push(keys[by])
    return waitMs
  }
  /** Who comes anew waits first; after that his try is his, whatever others do meanwhile. */
  const takeTurn = async () => {
    const waitMs = (await take('turn')) || (await backoff.take(keys.queue, SPACINGS.queue))
    if (waitMs > 0 || (await hit(`${keys.queue}:asked`, 2 * DAY_MS)).count > 1) return waitMs
    return backoff.take(keys.queue, SPACINGS.queue)
  }
  const waitMs =
    (await take('pair')) || (await take('address')) || (nearness === 'home' ? 0 : (await take('account')) && (await takeTurn()))
  if (waitMs > 0) {
    // This one is not made.
    await giveBack()
    throw tooManyGuesses(waitMs)
  }
  return {
    async wasRight() {
      await giveBack()
      await Promise.all([keys.pair, keys.turn].map((key) => backoff.clear(key)))
    },
  }
}

function tooManyGuesses(waitMs: number): ApiError {
  const wait = String(Math.ceil(waitMs / 1000))
  return new ApiError(
    'rate_limited',
    `Too many wrong passwords. Wait ${wait} s before the next try, or sign in with a code by mail: POST /v1/users/auth/code.`,
    { headers: { 'retry-after': wait } },
  )
}
