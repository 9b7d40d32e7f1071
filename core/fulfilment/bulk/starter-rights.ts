import type { Sql } from '../../data/sql.ts'
import type { Product, StoreRight } from '../../http/auth/scopes.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { assertProductEnabled, hasMemberRight } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { bulkErrors } from './bulk.errors.ts'
import type { BulkAction } from './bulk.model.ts'
import type { JobRow } from './jobs.queries.ts'
import { readStarter } from './starter.queries.ts'

type StartedJob = Pick<JobRow, 'storeId' | 'madeBy' | 'grantId' | 'action'>

const RIGHT: StoreRight = ['agent', 'orders:write']
const productOf: Readonly<Record<BulkAction['type'], Product | undefined>> = {
  confirm: undefined,
  cancel: undefined,
  assign: undefined,
  tag: undefined,
  send: 'parcels',
  print: 'parcels',
}

/** Returns the product that an action needs. Undefined for one that every store may do. */
export const productOfAction = ({ type }: BulkAction): Product | undefined => productOf[type]

/**
 * Finds the store of a job, or the error for which the job may not go on: the store was deleted, it no longer has the product, or the one
 * who started the job has lost the right since.
 */
export const findStoreOfJob = (sql: Sql, job: StartedJob): Promise<Store | DomainError> =>
  requireStoreOfJob(sql, job).catch((error: unknown) => {
    if (error instanceof DomainError) return error
    throw error
  })

async function requireStoreOfJob(sql: Sql, job: StartedJob): Promise<Store> {
  const store = await findStore(sql, job.storeId)
  if (!store) throw bulkErrors.storeGone()
  if (!(await hasStarterRight(sql, job))) throw bulkErrors.rightLost()
  const product = productOfAction(job.action)
  if (product) await assertProductEnabled({ sql }, job.storeId, product)
  return store
}

/** Returns true while the one who started a job may still change orders of its store. */
async function hasStarterRight(sql: Sql, { storeId, madeBy, grantId }: StartedJob): Promise<boolean> {
  if (madeBy === null) return true
  const starter = await readStarter(sql, madeBy, grantId)
  if (madeBy.kind === 'key') return starter.isKeyValid
  if (grantId !== null && !starter.isGrantValid) return false
  if (madeBy.adminId !== null && !starter.hasAdmin) return false
  // An app never has the rights of a platform administrator.
  if (starter.isAdmin && grantId === null) return true
  return hasMemberRight(sql, storeId, madeBy.id, RIGHT)
}
