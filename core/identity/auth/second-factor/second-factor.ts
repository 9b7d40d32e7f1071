import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Spacing } from '../../../data/backoff.ts'
import { transaction } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { totpSecretText, totpUri, verifyTotp } from '../../../lib/crypto/totp.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import type { UserRow } from '../auth.queries.ts'
import { holdProven } from '../hold-proven.ts'
import { nearnessOf } from '../sign-in/known-networks.ts'
import {
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  type FactorRow,
  findFactor,
  putFactor,
  replaceRecoveryCodes,
  takeStep,
  useRecoveryCode,
} from './second-factor.queries.ts'

type Keeper = Pick<Context, 'sql' | 'shared' | 'vault'>

const SECRET_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 8
const MINUTE_MS = 60_000

/** Wrong codes, each after a right password: from one network first, and of an account from wherever nobody of it is at home. */
const SPACINGS = {
  pair: { free: 5, firstMs: 1_000, maxMs: 15 * MINUTE_MS, forgetMs: 24 * 60 * MINUTE_MS },
  account: { free: 15, firstMs: 1_000, maxMs: 5 * MINUTE_MS, forgetMs: 24 * 60 * MINUTE_MS },
} satisfies Record<string, Spacing>

/** Whom it is of, in what it is sealed for. */
const sealedFor = (userId: string) => `second factor ${userId}`
const invalidCode = () => new ApiError('invalid_code', 'This code is wrong, used or over. Take the next one of your authenticator app.')

/** Who has a second factor shows it. Throws `second_factor_required`, `invalid_code`, `rate_limited`. */
export async function assertSecondFactor(context: Keeper, userId: string, code: string | undefined, address: string): Promise<void> {
  const factor = await findFactor(context.sql, userId)
  if (!factor?.confirmedAt) return
  if (code === undefined)
    throw new ApiError('second_factor_required', 'Send it again with secondFactor: a code of your authenticator app, or a recovery code.')
  await counted(context, userId, address, () => isRight(context, factor, code))
}

/** Tries are counted before they are made, and those that were right are given back. */
async function counted({ sql, shared }: Keeper, userId: string, address: string, look: () => Promise<boolean>): Promise<void> {
  const network = networkOf(address)
  const isKnown = (await nearnessOf(sql, userId, address)) === 'home'
  const keys = [
    [`second:${userId}:${network}`, SPACINGS.pair] as const,
    ...(isKnown ? [] : [[`second:${userId}`, SPACINGS.account] as const]),
  ]
  const taken: string[] = []
  for (const [key, spacing] of keys) {
    const waitMs = await shared.backoff.take(key, spacing)
    if (waitMs === 0) {
      taken.push(key)
      continue
    }
    await Promise.all(taken.map((each) => shared.backoff.giveBack(each)))
    const wait = String(Math.ceil(waitMs / 1000))
    throw new ApiError('rate_limited', `Too many wrong codes. Wait ${wait} s before the next try.`, { headers: { 'retry-after': wait } })
  }
  if (!(await look())) throw invalidCode()
  await Promise.all(taken.map((each) => shared.backoff.clear(each)))
}

async function isRight({ sql, vault }: Keeper, { userId, secret }: FactorRow, code: string): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return useRecoveryCode(sql, userId, digestOf(vault, userId, code))
  const step = verifyTotp(Buffer.from(vault.open(secret, sealedFor(userId)), 'base64'), code)
  return step !== null && (await takeStep(sql, userId, secret, step))
}

const digestOf = (vault: Keeper['vault'], userId: string, code: string) =>
  vault.fingerprint(`recovery ${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, '')}`)

export async function readSecondFactor({ sql }: Keeper, userId: string) {
  const factor = await findFactor(sql, userId)
  return { enabled: Boolean(factor?.confirmedAt), recoveryCodesLeft: factor?.confirmedAt ? await countRecoveryCodes(sql, userId) : 0 }
}

/** A new secret, which counts once it is confirmed, of a person whose password was right. Throws `conflict` where there is one that works. */
export async function beginSecondFactor({ sql, vault }: Keeper, user: UserRow, service: string) {
  const secret = randomBytes(SECRET_BYTES)
  await transaction(sql, async (tx) => {
    await holdProven(tx, user)
    if (!(await putFactor(tx, user.id, vault.seal(secret.toString('base64'), sealedFor(user.id)))))
      throw new ApiError('conflict', 'You have a second factor already. Turn it off first.')
  })
  return { secret: totpSecretText(secret), uri: totpUri(secret, service, user.email) }
}

/** The second factor counts from now on. Gives recovery codes, which are shown this once. */
export async function confirmSecondFactor(context: Keeper, userId: string, code: string, address: string) {
  const { sql } = context
  const factor = await findFactor(sql, userId)
  if (!factor || factor.confirmedAt)
    throw new ApiError('conflict', 'There is no second factor that waits to be confirmed. Begin with a new one.')
  await counted(context, userId, address, () => isRight(context, factor, code))
  return transaction(sql, async (tx) => {
    if (!(await confirmFactor(tx, userId, factor.secret)))
      throw new ApiError('conflict', 'It was confirmed already, or another was begun with. Read which it is, and begin anew.')
    const codes = newRecoveryCodes()
    await replaceRecoveryCodes(tx, userId, digestsOf(context, userId, codes))
    return { recoveryCodes: codes }
  })
}

/** Others in place of all there were. */
export async function renewRecoveryCodes(context: Keeper, userId: string, code: string, address: string) {
  if (!(await readSecondFactor(context, userId)).enabled) throw new ApiError('conflict', 'You have no second factor.')
  await assertSecondFactor(context, userId, code, address)
  const codes = newRecoveryCodes()
  await transaction(context.sql, (tx) => replaceRecoveryCodes(tx, userId, digestsOf(context, userId, codes)))
  return { recoveryCodes: codes }
}

export async function endSecondFactor(context: Keeper, userId: string, code: string, address: string): Promise<void> {
  if (!(await readSecondFactor(context, userId)).enabled) throw new ApiError('conflict', 'You have no second factor.')
  await assertSecondFactor(context, userId, code, address)
  await transaction(context.sql, (tx) => deleteFactor(tx, userId))
}

const newRecoveryCodes = () =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const text = totpSecretText(randomBytes(RECOVERY_BYTES)).slice(0, 12)
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
  })

const digestsOf = ({ vault }: Keeper, userId: string, codes: readonly string[]) => codes.map((code) => digestOf(vault, userId, code))
