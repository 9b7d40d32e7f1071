import type { Context } from '../../context.ts'
import type { Sql } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { batcher } from '../../lib/async/batcher.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { addLandingPages, addViews, forgetViews, knownProducts, type View } from './views.queries.ts'

const MINUTE_MS = 60_000
/** From one network, of one store: many people may stand behind one address. */
export const VIEWS_A_MINUTE = 600
/** Further ones count for the store and the product alone. */
export const LANDING_PAGES_MAX = 1_000
/** Longer than any range that can be asked for, and its range of the year before. */
const KEPT_DAYS = 800
const AT_ONCE = 200
const FORGOTTEN_AT_ONCE = 5_000

interface Told extends View {
  readonly storeId: string
}

/** Counts what visitors look at; those who look at one store at once are counted by one statement. */
export type CountView = (view: Told) => Promise<boolean>

export const countingViews = (sql: Sql): CountView =>
  batcher(
    async (told: readonly Told[]) => {
      const storeId = told[0]?.storeId ?? ''
      const named = (key: keyof View) => [...new Set(told.flatMap((view) => view[key] ?? []))]
      const known = new Set(await knownProducts(sql, storeId, named('productId')))
      const isKnown = ({ productId }: View) => productId === undefined || known.has(productId)
      const [pages, views] = [named('landingPageId'), told.filter(isKnown)]
      if (pages.length > 0) await addLandingPages(sql, storeId, pages, LANDING_PAGES_MAX)
      if (views.length > 0) await addViews(sql, storeId, views)
      return told.map(isKnown)
    },
    { keyOf: ({ storeId }) => storeId, most: AT_ONCE },
  )

/**
 * One page that a visitor looked at. `network`: where a stranger asks from; members and keys tell of as many as they like. Throws `not_found`
 * where the store has no such product, and `rate_limited`.
 */
export async function viewed({ shared }: Pick<Context, 'shared'>, count: CountView, store: Store, view: View, network: string | null) {
  if (network !== null) {
    const { count: told, resetMs } = await shared.countHit(`views:${store.id}:${network}`, MINUTE_MS)
    if (told > VIEWS_A_MINUTE)
      throw new ApiError('rate_limited', `A store takes at most ${VIEWS_A_MINUTE} views a minute from one network.`, {
        headers: { 'retry-after': String(Math.ceil(resetMs / 1000)) },
      })
  }
  if (!(await count({ ...view, storeId: store.id }))) throw notFound('The product')
}

/** Drops what nobody can ask for any more. */
export async function forgetOld({ sql }: Pick<Context, 'sql'>, signal?: AbortSignal) {
  while (!signal?.aborted && (await forgetViews(sql, KEPT_DAYS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
}
