import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { BackoffPolicy } from '../../data/backoff.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { findUserByEmail } from '../auth/auth.queries.ts'
import { findNetworkProximity } from '../auth/sign-in/known-networks.ts'
import { codeErrors } from './codes.errors.ts'
import type { CodePurpose } from './codes.model.ts'
import { type CodeRow, insertCode, lockUnsentCode, updateSentCode } from './codes.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'codes.mail': { readonly codeId: string }
  }
}

const LIFE_MS: Readonly<Record<CodePurpose, number>> = { sign_in: 10 * MINUTE_MS, reset_password: HOUR_MS, verify_email: 24 * HOUR_MS }
const WELCOME_MS = 7 * 24 * HOUR_MS
const CODE_DIGITS = 8

/**
 * Rate limits for requesting codes: for one address from one network, and for all addresses from one network. The mail feature limits mails
 * per address.
 */
const SPACINGS = {
  pair: { freeAttempts: 4, firstMs: 30_000, maxMs: 10 * MINUTE_MS, resetAfterMs: HOUR_MS },
  address: { freeAttempts: 30, firstMs: 1_000, maxMs: 5 * MINUTE_MS, resetAfterMs: HOUR_MS },
} satisfies Record<string, BackoffPolicy>

interface CodeRequestInput {
  readonly purpose: CodePurpose
  readonly email: string
  readonly language?: CodeRow['language'] | undefined
  /** True for the first password of an account that somebody else created. */
  readonly welcomes?: boolean
  /** Result of {@link throttleCodeRequest}. */
  readonly isNear?: boolean
}

/**
 * Counts a request for a code. Throws `rate_limited` after too many, with or without an account. `isNear` tells if the caller uses a
 * network of the account's sessions; mails for such callers have a limit of their own.
 */
export async function throttleCodeRequest(
  { shared, sql }: Pick<Context, 'shared' | 'sql'>,
  { purpose, email }: CodeRequestInput,
  address: string,
): Promise<{ isNear: boolean }> {
  const network = networkOf(address)
  const keys = [
    [`code:${purpose}:${sha256(email.toLowerCase())}:${network}`, SPACINGS.pair],
    [`code:at:${network}`, SPACINGS.address],
  ] as const
  for (const [key, spacing] of keys) {
    const waitMs = await shared.backoff.acquire(key, spacing)
    if (waitMs === 0) continue
    const wait = Math.ceil(waitMs / 1000)
    throw codeErrors.tooManyCodes(
      { wait },
      {
        retryAfterSeconds: wait,
      },
    )
  }
  // Queried even without a user, so that the response time does not reveal if the account exists.
  const user = await findUserByEmail(sql, email)
  return { isNear: (await findNetworkProximity(sql, user?.id ?? '', address)) !== 'away' }
}

/**
 * Stores a request for a code and enqueues the mail. The job checks if the account exists, so that the response time does not reveal it.
 */
export async function requestCode(sql: Queryable, { purpose, email, language = null, welcomes = false, isNear = false }: CodeRequestInput) {
  const [id, expiresAt] = [newId('cod'), new Date(Date.now() + (welcomes ? WELCOME_MS : LIFE_MS[purpose]))]
  await insertCode(sql, { id, purpose, email, language, welcomes, isNear, expiresAt })
  await enqueue(sql, 'codes.mail', { codeId: id }, { owner: 'codes' })
  return { id, purpose, expiresAt: expiresAt.toISOString() }
}

/**
 * Generates the code and the link of a request and mails them. Does nothing without an account, or when its address is already confirmed.
 */
export const mailCode = (context: Context, codeId: string): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const asked = await lockUnsentCode(tx, codeId)
    const user = asked && (await findUserByEmail(tx, asked.email))
    if (!asked || !user || (asked.purpose === 'verify_email' && user.emailVerified)) return
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
    const token = newToken('ml')
    if (!(await sendMail(context, tx, { ...asked, language: asked.language ?? user.language }, user.email, { code, token }))) return
    await updateSentCode(tx, asked.id, { userId: user.id, codeHash: codeDigest(context, asked.id, code), tokenHash: sha256(token) })
  })

/** Builds the keyed hash under which a code is stored. */
export const codeDigest = ({ vault }: Pick<Context, 'vault'>, id: string, code: string) => vault.fingerprint(`one-time code ${id} ${code}`)

const PATHS = { verify_email: '/v1/__/email/verify', reset_password: '/v1/users/auth/reset-password' } as const

/** Sends the mail of a code. Returns false when the mail feature withholds it. */
async function sendMail(
  context: Context,
  tx: Tx,
  asked: CodeRow,
  to: string,
  { code, token }: { code: string; token: string },
): Promise<boolean> {
  const { mail } = context
  const { purpose, welcomes, isNear, expiresAt } = asked
  const about = { to, language: asked.language ?? undefined, goodUntil: new Date(expiresAt), isFromKnownNetwork: isNear }
  const link = (path: string) => `${serverAddress(context)}${path}?token=${token}${asked.language ? `&ui_locales=${asked.language}` : ''}`
  const written =
    purpose === 'sign_in'
      ? await mail.send(tx, { ...about, template: 'sign_in_code', values: { code } })
      : purpose === 'verify_email'
        ? await mail.send(tx, { ...about, template: 'verify_email', values: { code, link: link(PATHS.verify_email) } })
        : await mail.send(tx, {
            ...about,
            template: welcomes ? 'account_made' : 'reset_password',
            values: { code, link: link(PATHS.reset_password) },
          })
  return 'id' in written
}
