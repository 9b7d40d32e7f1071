import type { Sql } from '../../../data/sql.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import { batcher } from '../../../lib/async/batcher.ts'
import { findAccessTokens, type Rotation, rotateRefreshTokens, rotationWeeks, type TokenLocation, type TokenRow } from './tokens.queries.ts'

/** Maximum number of tokens in one statement. */
const BATCH_MAX = 64

/** Store of tokens. Concurrent calls share statements and commits. */
export interface TokenStore {
  /** Uses a refresh token and inserts the pair that follows it. Returns the scopes of the pair; undefined when the token cannot be used. */
  rotate(rotation: Rotation): Promise<readonly Scope[] | undefined>
  /** Finds an access token with its grant. Returns undefined when it is unknown. */
  findAccessToken(place: TokenLocation): Promise<TokenRow | undefined>
}

/** Creates the store of tokens. */
export const openTokenStore = (sql: Sql): TokenStore => ({
  rotate: batcher((rotations: readonly Rotation[]) => rotateRefreshTokens(sql, rotations), { keyOf: rotationWeeks, most: BATCH_MAX }),
  findAccessToken: batcher((places: readonly TokenLocation[]) => findAccessTokens(sql, places), {
    keyOf: ({ week }) => String(week),
    most: BATCH_MAX,
  }),
})
