import type { Context } from '../../../context.ts'
import type { SealedTokens } from './oauth.queries.ts'

/** Tokens that a provider issued. */
export interface TokenSet {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Further credentials from the answer, by name. */
  readonly filled: Readonly<Record<string, string>>
}

/** Tokens with their lifetime. */
export interface IssuedTokens extends TokenSet {
  /** Null if the provider does not state it. */
  readonly expiresInMs: number | null
}

/** Fraction of the lifetime before expiry at which tokens are renewed; at most five minutes. */
const MARGIN = 0.1
const MARGIN_MAX_MS = 5 * 60_000

const sealContextOf = (connectionId: string) => `oauth ${connectionId}`

/** Unseals the tokens of a connection. */
export const unsealTokens = ({ vault }: Pick<Context, 'vault'>, connectionId: string, sealed: string): TokenSet =>
  JSON.parse(vault.open(sealed, sealContextOf(connectionId))) as TokenSet

/** Seals tokens for storage. Plans no renewal without a refresh token or a known lifetime. */
export function sealTokens(
  { vault }: Pick<Context, 'vault'>,
  connectionId: string,
  { expiresInMs, ...tokens }: IssuedTokens,
): SealedTokens {
  const isRenewed = tokens.refreshToken !== null && expiresInMs !== null
  return {
    sealed: vault.seal(JSON.stringify(tokens), sealContextOf(connectionId)),
    expiresInMs,
    renewInMs: isRenewed ? expiresInMs - Math.min(MARGIN_MAX_MS, expiresInMs * MARGIN) : null,
  }
}
