import type { Context } from '../../../context.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { PriceSource } from '../../dispatch/prices.ts'
import type { JobRow } from '../jobs.queries.ts'

/** Job that runs, with what its steps work with. */
export interface JobRun {
  readonly context: Context
  readonly prices: PriceSource
  readonly job: JobRow
  readonly store: Store
  readonly signal: AbortSignal | undefined
}
