import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import type { RemovedRow } from './social.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'social.giveUp': Gone
  }
}

/** One of which the provider wants to hear. */
interface Gone extends RemovedRow {
  readonly sealedToken: string
}

/** Over some days. */
const TRIES = 20

const ownerOf = (provider: string, subject: string) => `social ${provider} ${subject}`

export const sealToken = ({ vault }: Pick<Context, 'vault'>, provider: string, subject: string, token: string | undefined) =>
  token === undefined ? null : vault.seal(token, ownerOf(provider, subject))

/** Has providers told of sign-ins that were taken away, once the caller's transaction is through. */
export async function giveUp(tx: Tx, removed: readonly RemovedRow[]): Promise<void> {
  for (const { provider, subject, sealedToken } of removed)
    if (sealedToken !== null) await enqueue(tx, 'social.giveUp', { provider, subject, sealedToken }, { maxAttempts: TRIES })
}

/** Tells a provider, if there still is one. It is tried again where the provider is away. */
export async function tellProvider(context: Context, { provider, subject, sealedToken }: Gone): Promise<void> {
  const client = await context.socialClient(context, provider)
  await client?.giveUp(context.vault.open(sealedToken, ownerOf(provider, subject)))
}
