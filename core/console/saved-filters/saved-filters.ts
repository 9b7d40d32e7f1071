import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { isRoleAtLeast } from '../../http/auth/scopes.ts'
import { type PageInput, readKeysetPage } from '../../http/resource/page.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { type ActingUser, readStoreRights, type StoreRights } from '../../shop/stores/access.ts'
import { savedFilterErrors } from './saved-filters.errors.ts'
import { FILTER_LIMITS, type NewSavedFilter, type SavedFilter, type SavedFilterChange } from './saved-filters.model.ts'
import {
  countSavedFilters,
  deleteSavedFilter,
  type FilterReader,
  findSavedFilter,
  insertSavedFilter,
  listSavedFilters,
  lockSavedFilters,
  type SavedFilterRow,
  updateSavedFilter,
} from './saved-filters.queries.ts'

type Needs = Pick<Context, 'sql'>

/** Lists the saved filters that a member of a store sees, newest first. Throws `not_found` for a foreign store. */
export async function readSavedFilters(context: Needs, user: ActingUser, storeId: string, query: PageInput & { readonly page?: string }) {
  const reader = readerOf(await readStoreRights(context.sql, user, storeId), user)
  const found = await readKeysetPage(query, (before, take) => listSavedFilters(context.sql, reader, query.page, before, take))
  return { ...found, data: found.data.map((row) => present(row, user)) }
}

/** Saves a filter. Throws `not_found`, `conflict` for a name that the user has on the page, `limit_reached`. */
export async function saveFilter(tx: Tx, user: ActingUser, storeId: string, input: NewSavedFilter): Promise<SavedFilter> {
  const rights = await readStoreRights(tx, user, storeId)
  const { projectId } = rights
  const { page, name, query, isShared = false } = input
  await lockSavedFilters(tx, projectId)
  const counts = await countSavedFilters(tx, projectId, user.id)
  if (counts.own >= FILTER_LIMITS.perUser) throw savedFilterErrors.tooManyOwn({ max: FILTER_LIMITS.perUser })
  if (isShared) assertRoomForShared(counts)
  const id = newId('flt')
  await insertSavedFilter(tx, { projectId, id, userId: user.id, page, name, query: parseQuery(query), isShared })
  return present(invariant(await findSavedFilter(tx, readerOf(rights, user), id), 'A saved filter'), user)
}

/** Changes a saved filter. Throws `not_found`, `forbidden`, `conflict`, `limit_reached`. */
export const changeFilter = (
  context: Needs,
  user: ActingUser,
  storeId: string,
  id: string,
  change: SavedFilterChange,
): Promise<SavedFilter> =>
  changeOwn(context, user, storeId, id, async (tx, projectId, filter) => {
    const { name, query, isShared } = change
    if (isShared && !filter.isShared) assertRoomForShared(await countSavedFilters(tx, projectId, filter.userId))
    await updateSavedFilter(tx, projectId, id, {
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query: parseQuery(query) }),
      ...(isShared !== undefined && { isShared }),
    })
    // An admin who makes a colleague's filter private does not see it any more.
    return present(
      { ...invariant(await findSavedFilter(tx, { projectId, userId: filter.userId, seesShared: true }, id), 'A changed filter') },
      user,
    )
  })

/** Deletes a saved filter. Throws `not_found`, `forbidden`. */
export const removeFilter = (context: Needs, user: ActingUser, storeId: string, id: string): Promise<void> =>
  changeOwn(context, user, storeId, id, async (tx, projectId) => void (await deleteSavedFilter(tx, projectId, id)))

/** Changes a filter that the user saved, or that an admin of the store sees. */
function changeOwn<V>(
  { sql }: Needs,
  user: ActingUser,
  storeId: string,
  id: string,
  change: (tx: Tx, projectId: string, filter: SavedFilterRow) => Promise<V>,
): Promise<V> {
  return transaction(sql, async (tx) => {
    const rights = await readStoreRights(tx, user, storeId)
    await lockSavedFilters(tx, rights.projectId)
    const filter = await findSavedFilter(tx, readerOf(rights, user), id)
    if (!filter) throw notFound('The saved filter')
    if (filter.userId !== user.id && !isUnrestrictedAdmin(rights)) throw savedFilterErrors.notYours()
    return change(tx, rights.projectId, filter)
  })
}

const isUnrestrictedAdmin = ({ role, permissions }: StoreRights) => isRoleAtLeast(role, 'admin') && permissions === null

function assertRoomForShared({ shared }: { readonly shared: number }): void {
  if (shared >= FILTER_LIMITS.shared) throw savedFilterErrors.tooManyShared({ max: FILTER_LIMITS.shared })
}

/** Hides shared filters from users who may not read orders: a filter may hold names and numbers of customers. */
const readerOf = ({ projectId, permissions }: StoreRights, { id: userId }: ActingUser): FilterReader => ({
  projectId,
  userId,
  seesShared: permissions === null || permissions.includes('orders:read'),
})

/** Decodes a query string, so that the search of personal data finds names in it. */
function parseQuery(query: string): [string, string][] {
  const pairs = [...new URLSearchParams(query)]
  if (pairs.length > FILTER_LIMITS.parameters)
    throw savedFilterErrors.tooManyParameters({ max: FILTER_LIMITS.parameters }, { field: ['query'] })
  return pairs
}

const present = ({ userId, userName, query, ...row }: SavedFilterRow, user: ActingUser): SavedFilter => ({
  ...row,
  query: new URLSearchParams([...query]).toString(),
  isOwn: userId === user.id,
  savedBy: { userId, name: userName },
})
