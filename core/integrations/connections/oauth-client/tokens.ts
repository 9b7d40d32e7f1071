import type { Context } from '../../../context.ts'
import type { KeptTokens } from './oauth.queries.ts'

/** What the other side gave. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Credentials that are filled in besides, by name. */
  readonly filled: Readonly<Record<string, string>>
}

export interface NewTokens extends Tokens {
  /** Null where it did not say. */
  readonly expiresInMs: number | null
}

/** They are renewed so long before they expire: a tenth of their time. */
const MARGIN = 0.1
const MARGIN_MAX_MS = 5 * 60_000

const ownerOf = (connectionId: string) => `oauth ${connectionId}`

export const openTokens = ({ vault }: Pick<Context, 'vault'>, connectionId: string, sealed: string): Tokens =>
  JSON.parse(vault.open(sealed, ownerOf(connectionId))) as Tokens

export function sealTokens({ vault }: Pick<Context, 'vault'>, connectionId: string, { expiresInMs, ...tokens }: NewTokens): KeptTokens {
  const isRenewed = tokens.refreshToken !== null && expiresInMs !== null
  return {
    sealed: vault.seal(JSON.stringify(tokens), ownerOf(connectionId)),
    expiresInMs,
    renewInMs: isRenewed ? expiresInMs - Math.min(MARGIN_MAX_MS, expiresInMs * MARGIN) : null,
  }
}
