import type { Sql } from '../../../data/sql.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import { batcher } from '../../../lib/async/batcher.ts'
import { findAccessTokens, type Place, type Rotation, rotate, type TokenRow, weeksOf } from './tokens.queries.ts'

/** By one statement. */
const MOST = 64

/** The tokens that are kept. Of those that are asked for at once, many go by one statement, and are on disk with one commit. */
export interface Tokens {
  /** Uses a refresh token and keeps the pair that follows it. Gives the scopes of the pair; undefined where it cannot be used so. */
  rotate(rotation: Rotation): Promise<readonly Scope[] | undefined>
  findAccess(place: Place): Promise<TokenRow | undefined>
}

export const openTokens = (sql: Sql): Tokens => ({
  rotate: batcher((rotations: readonly Rotation[]) => rotate(sql, rotations), { keyOf: weeksOf, most: MOST }),
  findAccess: batcher((places: readonly Place[]) => findAccessTokens(sql, places), {
    keyOf: ({ week }) => String(week),
    most: MOST,
  }),
})
