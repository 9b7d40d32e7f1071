import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Spacing } from '../../data/backoff.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { ownAddress } from '../../http/address/own-address.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { findUserByEmail } from '../auth/auth.queries.ts'
import { nearnessOf } from '../auth/sign-in/known-networks.ts'
import type { Purpose } from './codes.model.ts'
import { type CodeRow, insertCode, lockUnsent, writeCode } from './codes.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'codes.mail': { readonly codeId: string }
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LIFE_MS: Readonly<Record<Purpose, number>> = { sign_in: 10 * MINUTE_MS, reset_password: HOUR_MS, verify_email: 24 * HOUR_MS }
const WELCOME_MS = 7 * 24 * HOUR_MS
const CODE_DIGITS = 8

/** Asking for one address from one network, and for any from there. What an address is mailed in all is limited by the mails themselves. */
const SPACINGS = {
  pair: { free: 4, firstMs: 30_000, maxMs: 10 * MINUTE_MS, forgetMs: HOUR_MS },
  address: { free: 30, firstMs: 1_000, maxMs: 5 * MINUTE_MS, forgetMs: HOUR_MS },
} satisfies Record<string, Spacing>

interface Asking {
  readonly purpose: Purpose
  readonly email: string
  readonly language?: CodeRow['language'] | undefined
  /** It is for the first password of a person whom somebody else made. */
  readonly welcomes?: boolean
  /** As `mayAsk` gives it. */
  readonly isNear?: boolean
}

/**
 * Who asks too often waits, whether there is such an account or not. Gives whether he asks from where the account's person has signed in: what is
 * mailed for that strangers do not use up.
 */
export async function mayAsk(
  { shared, sql }: Pick<Context, 'shared' | 'sql'>,
  { purpose, email }: Asking,
  address: string,
): Promise<{ isNear: boolean }> {
  const network = networkOf(address)
  const keys = [
    [`code:${purpose}:${sha256(email.toLowerCase())}:${network}`, SPACINGS.pair],
    [`code:at:${network}`, SPACINGS.address],
  ] as const
  for (const [key, spacing] of keys) {
    const waitMs = await shared.backoff.take(key, spacing)
    if (waitMs === 0) continue
    const wait = String(Math.ceil(waitMs / 1000))
    throw new ApiError('rate_limited', `A code was asked for often. Wait ${wait} s before the next.`, { headers: { 'retry-after': wait } })
  }
  // Looked for also where there is nobody: how long it takes says nothing of whether there is.
  const user = await findUserByEmail(sql, email)
  return { isNear: (await nearnessOf(sql, user?.id ?? '', address)) !== 'away' }
}

/** Writes down that a code is asked for. A job finds out whether there is an account, and mails it: the answer takes as long for anybody. */
export async function askForCode(sql: Queryable, { purpose, email, language = null, welcomes = false, isNear = false }: Asking) {
  const [id, expiresAt] = [newId('cod'), new Date(Date.now() + (welcomes ? WELCOME_MS : LIFE_MS[purpose]))]
  await insertCode(sql, { id, purpose, email, language, welcomes, isNear, expiresAt })
  await enqueue(sql, 'codes.mail', { codeId: id }, { owner: 'codes' })
  return { id, purpose, expiresAt: expiresAt.toISOString() }
}

/** Makes the code of one that was asked for, and mails it to whoever has an account with that address. */
export const mailCode = (context: Context, codeId: string): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const asked = await lockUnsent(tx, codeId)
    const user = asked && (await findUserByEmail(tx, asked.email))
    if (!asked || !user || (asked.purpose === 'verify_email' && user.emailVerified)) return
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
    const token = newToken('ml')
    if (!(await write(context, tx, { ...asked, language: asked.language ?? user.language }, user.email, { code, token }))) return
    await writeCode(tx, asked.id, { userId: user.id, codeHash: digestOf(context, asked.id, code), tokenHash: sha256(token) })
  })

export const digestOf = ({ vault }: Pick<Context, 'vault'>, id: string, code: string) => vault.fingerprint(`one-time code ${id} ${code}`)

const PATHS = { verify_email: '/v1/__/email/verify', reset_password: '/v1/users/auth/reset-password' } as const

/** Whether it goes. */
async function write(
  context: Context,
  tx: Tx,
  asked: CodeRow,
  to: string,
  { code, token }: { code: string; token: string },
): Promise<boolean> {
  const { mail } = context
  const { purpose, welcomes, isNear, expiresAt } = asked
  const about = { to, language: asked.language ?? undefined, goodUntil: new Date(expiresAt), isNear }
  const link = (path: string) => `${ownAddress(context)}${path}?token=${token}${asked.language ? `&ui_locales=${asked.language}` : ''}`
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
