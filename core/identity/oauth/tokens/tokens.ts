import type { Sql } from '../../../data/sql.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import { batcher } from '../../../lib/async/batcher.ts'
import { findAccessTokens, type Place, type Rotation, rotate, type TokenRow, weeksOf } from './tokens.queries.ts'

/** Maximum number of tokens in one statement. */
const BATCH_MAX = 64

/** Store of tokens. Concurrent calls share statements and commits. */
export interface Tokens {
  /** Uses a refresh token and inserts the pair that follows it. Returns the scopes of the pair; undefined when the token cannot be used. */
  rotate(rotation: Rotation): Promise<readonly Scope[] | undefined>
  /** Finds an access token with its grant. Returns undefined when it is unknown. */
  findAccess(place: Place): Promise<TokenRow | undefined>
}

/** Creates the store of tokens. */
export const openTokens = (sql: Sql): Tokens => ({
  rotate: batcher((rotations: readonly Rotation[]) => rotate(sql, rotations), { keyOf: weeksOf, most: BATCH_MAX }),
  findAccess: batcher((places: readonly Place[]) => findAccessTokens(sql, places), {
    keyOf: ({ week }) => String(week),
    most: BATCH_MAX,
  }),
})
