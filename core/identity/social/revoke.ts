import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import type { RemovedIdentity } from './social.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'social.revoke': RevocationJob
  }
}

/** Removed sign-in that must be revoked at its provider. */
interface RevocationJob extends RemovedIdentity {
  readonly sealedToken: string
}

/** Maximum number of attempts, which spread over some days. */
const TRIES = 20

const sealingContext = (provider: string, subject: string) => `social ${provider} ${subject}`

/** Encrypts the token with which a sign-in is revoked at its provider. Returns null without a token. */
export const sealRevocationToken = ({ vault }: Pick<Context, 'vault'>, provider: string, subject: string, token: string | undefined) =>
  token === undefined ? null : vault.seal(token, sealingContext(provider, subject))

/** Enqueues the revocation of removed sign-ins at their providers, in the transaction of the caller. */
export async function enqueueRevocations(tx: Tx, removed: readonly RemovedIdentity[]): Promise<void> {
  for (const { provider, subject, sealedToken } of removed)
    if (sealedToken !== null) await enqueue(tx, 'social.revoke', { provider, subject, sealedToken }, { maxAttempts: TRIES })
}

/** Revokes a sign-in at its provider, if that is still connected. The job retries when the provider is unavailable. */
export async function revokeAtProvider(context: Context, { provider, subject, sealedToken }: RevocationJob): Promise<void> {
  const client = await context.socialClient(context, provider)
  await client?.revoke(context.vault.open(sealedToken, sealingContext(provider, subject)))
}
