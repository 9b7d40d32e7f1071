import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { BackoffPolicy } from '../../../data/backoff.ts'
import { transaction } from '../../../data/sql.ts'
import { totpSecretText, totpUri, verifyTotp } from '../../../lib/crypto/totp.ts'
import { MINUTE_MS } from '../../../lib/durations.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { authErrors } from '../auth.errors.ts'
import type { UserRow } from '../auth.queries.ts'
import { lockUnchangedUser } from '../lock-unchanged-user.ts'
import { findNetworkProximity } from '../sign-in/known-networks.ts'
import {
  claimTotpStep,
  confirmFactor,
  consumeRecoveryCode,
  countRecoveryCodes,
  deleteFactor,
  type FactorRow,
  findFactor,
  replaceRecoveryCodes,
  upsertPendingFactor,
} from './second-factor.queries.ts'

type Dependencies = Pick<Context, 'sql' | 'shared' | 'vault'>

const SECRET_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 8

/** Rate limits for wrong codes after a correct password. They count by account and network, and by account for unknown networks. */
const SPACINGS = {
  pair: { freeAttempts: 5, firstMs: 1_000, maxMs: 15 * MINUTE_MS, resetAfterMs: 24 * 60 * MINUTE_MS },
  account: { freeAttempts: 15, firstMs: 1_000, maxMs: 5 * MINUTE_MS, resetAfterMs: 24 * 60 * MINUTE_MS },
} satisfies Record<string, BackoffPolicy>

/** Builds the context that binds an encrypted secret to its user. */
const sealedFor = (userId: string) => `second factor ${userId}`
/** Verifies the second factor of a user, if there is one. Throws `second_factor_required`, `invalid_code` or `rate_limited`. */
export async function assertSecondFactor(context: Dependencies, userId: string, code: string | undefined, address: string): Promise<void> {
  const factor = await findFactor(context.sql, userId)
  if (!factor?.confirmedAt) return
  if (code === undefined) throw authErrors.secondFactorRequired()
  await verifyThrottled(context, userId, address, () => isCodeValid(context, factor, code))
}

/** Counts an attempt before it is made, and clears the count when the code is correct. Throws `rate_limited` or `invalid_code`. */
async function verifyThrottled(
  { sql, shared }: Dependencies,
  userId: string,
  address: string,
  verify: () => Promise<boolean>,
): Promise<void> {
  const network = networkOf(address)
  const isKnown = (await findNetworkProximity(sql, userId, address)) === 'home'
  const keys = [
    [`second:${userId}:${network}`, SPACINGS.pair] as const,
    ...(isKnown ? [] : [[`second:${userId}`, SPACINGS.account] as const]),
  ]
  const acquired: string[] = []
  for (const [key, spacing] of keys) {
    const waitMs = await shared.backoff.acquire(key, spacing)
    if (waitMs === 0) {
      acquired.push(key)
      continue
    }
    await Promise.all(acquired.map((each) => shared.backoff.release(each)))
    const wait = Math.ceil(waitMs / 1000)
    throw authErrors.tooManyWrongCodes({ wait }, { retryAfterSeconds: wait })
  }
  if (!(await verify())) throw authErrors.codeInvalid()
  await Promise.all(acquired.map((each) => shared.backoff.clear(each)))
}

async function isCodeValid({ sql, vault }: Dependencies, { userId, secret }: FactorRow, code: string): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return consumeRecoveryCode(sql, userId, digestOf(vault, userId, code))
  const step = verifyTotp(Buffer.from(vault.open(secret, sealedFor(userId)), 'base64'), code)
  return step !== null && (await claimTotpStep(sql, userId, secret, step))
}

const digestOf = (vault: Dependencies['vault'], userId: string, code: string) =>
  vault.fingerprint(`recovery ${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, '')}`)

/** Returns the state of the second factor of a user. */
export async function readSecondFactor({ sql }: Dependencies, userId: string) {
  const factor = await findFactor(sql, userId)
  return { enabled: Boolean(factor?.confirmedAt), recoveryCodesLeft: factor?.confirmedAt ? await countRecoveryCodes(sql, userId) : 0 }
}

/** Stores a new pending secret for a user whose password was verified. Throws `conflict` when a second factor is active. */
export async function beginSecondFactor({ sql, vault }: Dependencies, user: UserRow, service: string) {
  const secret = randomBytes(SECRET_BYTES)
  await transaction(sql, async (tx) => {
    await lockUnchangedUser(tx, user)
    if (!(await upsertPendingFactor(tx, user.id, vault.seal(secret.toString('base64'), sealedFor(user.id)))))
      throw authErrors.secondFactorOn()
  })
  return { secret: totpSecretText(secret), uri: totpUri(secret, service, user.email) }
}

/**
 * Activates the pending second factor and returns recovery codes, which are shown only once. Throws `conflict`, `invalid_code` or
 * `rate_limited`.
 */
export async function confirmSecondFactor(context: Dependencies, userId: string, code: string, address: string) {
  const { sql } = context
  const factor = await findFactor(sql, userId)
  if (!factor || factor.confirmedAt) throw authErrors.secondFactorNotStarted()
  await verifyThrottled(context, userId, address, () => isCodeValid(context, factor, code))
  return transaction(sql, async (tx) => {
    if (!(await confirmFactor(tx, userId, factor.secret))) throw authErrors.secondFactorChanged()
    const codes = newRecoveryCodes()
    await replaceRecoveryCodes(tx, userId, digestsOf(context, userId, codes))
    return { recoveryCodes: codes }
  })
}

/** Replaces all recovery codes. Throws `conflict` without a second factor, `invalid_code` or `rate_limited`. */
export async function renewRecoveryCodes(context: Dependencies, userId: string, code: string, address: string) {
  if (!(await readSecondFactor(context, userId)).enabled) throw authErrors.secondFactorOff()
  await assertSecondFactor(context, userId, code, address)
  const codes = newRecoveryCodes()
  await transaction(context.sql, (tx) => replaceRecoveryCodes(tx, userId, digestsOf(context, userId, codes)))
  return { recoveryCodes: codes }
}

/** Deletes the second factor. Throws `conflict` without one, `invalid_code` or `rate_limited`. */
export async function endSecondFactor(context: Dependencies, userId: string, code: string, address: string): Promise<void> {
  if (!(await readSecondFactor(context, userId)).enabled) throw authErrors.secondFactorOff()
  await assertSecondFactor(context, userId, code, address)
  await transaction(context.sql, (tx) => deleteFactor(tx, userId))
}

const newRecoveryCodes = () =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const text = totpSecretText(randomBytes(RECOVERY_BYTES)).slice(0, 12)
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
  })

const digestsOf = ({ vault }: Dependencies, userId: string, codes: readonly string[]) => codes.map((code) => digestOf(vault, userId, code))
