import type { Context } from '../../../context.ts'
import type { Sql } from '../../../data/sql.ts'
import { batcher } from '../../../lib/async/batcher.ts'
import { MINUTE_MS } from '../../../lib/durations.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { orderFactErrors } from '../order-facts.errors.ts'
import { deleteViewsBefore, findKnownProducts, insertLandingPages, type PageView, upsertViews } from './views.queries.ts'

/** Maximum number of views per minute and store from one network, since many visitors may share an address. */
export const VIEWS_PER_MINUTE = 600
/** Maximum number of landing pages per store; views of others count only for the store and the product. */
const LANDING_PAGES_MAX = 1_000
/** Days after which views are deleted: longer than any range of a request and the same range of the year before. */
const RETENTION_DAYS = 800
const AT_ONCE = 200
const DELETED_AT_ONCE = 5_000

interface StoreView extends PageView {
  readonly projectId: string
}

/** Counts a view. Returns false when the store has no such product. */
export type ViewCounter = (view: StoreView) => Promise<boolean>

/** Creates a counter of views that counts concurrent views of a project with one statement. */
export const createViewCounter = (sql: Sql): ViewCounter =>
  batcher(
    async (reported: readonly StoreView[]) => {
      const projectId = reported[0]?.projectId ?? ''
      const named = (key: keyof PageView) => [...new Set(reported.flatMap((view) => view[key] ?? []))]
      const known = new Set(await findKnownProducts(sql, projectId, named('productId')))
      const isKnown = ({ productId }: PageView) => productId === undefined || known.has(productId)
      const [pages, views] = [named('landingPageId'), reported.filter(isKnown)]
      if (pages.length > 0) await insertLandingPages(sql, projectId, pages, LANDING_PAGES_MAX)
      if (views.length > 0) await upsertViews(sql, projectId, views)
      return reported.map(isKnown)
    },
    { keyOf: ({ projectId }) => projectId, most: AT_ONCE },
  )

/**
 * Records the view of a page. `network` is that of a public caller, which is rate limited; null for members and keys. Throws `not_found`
 * for an unknown product, and `rate_limited`.
 */
export async function recordView(
  { shared }: Pick<Context, 'shared'>,
  count: ViewCounter,
  store: Store,
  view: PageView,
  network: string | null,
) {
  if (network !== null) {
    const { count: hits, resetMs } = await shared.countHit(`views:${store.id}:${network}`, MINUTE_MS)
    if (hits > VIEWS_PER_MINUTE)
      throw orderFactErrors.tooManyViews(
        { viewsPerMinute: VIEWS_PER_MINUTE },
        {
          retryAfterSeconds: Math.ceil(resetMs / 1000),
        },
      )
  }
  if (!(await count({ ...view, projectId: store.projectId }))) throw notFound('The product')
}

/** Deletes views that no request can read any more. Work of the job `analytics.deleteOldViews`. */
export async function deleteOldViews({ sql }: Pick<Context, 'sql'>, signal?: AbortSignal) {
  while (!signal?.aborted && (await deleteViewsBefore(sql, RETENTION_DAYS, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}
