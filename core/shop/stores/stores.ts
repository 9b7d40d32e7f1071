import type { Context } from '../../context.ts'
import { happened } from '../../data/follows.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { forgetCredentials } from '../../identity/auth/authenticate.ts'
import { createProject, endKeys } from '../../identity/projects/projects.ts'
import { newId } from '../../lib/ids.ts'
import { OWNER } from './members.model.ts'
import { upsertMember } from './members.queries.ts'
import type { NewStore, Store, StoreChange, StoreReplacement } from './stores.model.ts'
import { hasOrders, insertStore, lockStore, markDeleted, slugTaken, updateStore } from './stores.queries.ts'

declare module '../../data/follows.ts' {
  interface Follows {
    /** It is about to be deleted. Who still needs it throws. */
    'store.leaving': { store: Store }
  }
}

/** Makes the store, the project behind it, and its owner a member. */
export async function createStore(tx: Tx, ownerId: string, input: NewStore): Promise<Store> {
  const project = await createProject(tx, ownerId, { name: input.name })
  const id = newId('sto')
  const slug = input.slug ?? `${slugOf(input.name)}-${id.slice(-6)}`
  const store = await insertStore(tx, { ...input, id, slug, ownerId, projectId: project.id })
  if (!store) throw slugIsTaken(slug)
  await upsertMember(tx, id, ownerId, OWNER)
  return store
}

/** Throws `conflict` for another country or currency of a store whose orders were priced and addressed in the present ones. */
export async function replaceStore(tx: Tx, id: string, change: StoreReplacement): Promise<Store> {
  const store = await lockStore(tx, id)
  if (!store) throw notFound('The store')
  const { countryCode = store.countryCode, currencyCode = store.currencyCode } = change
  const moves = countryCode !== store.countryCode || currencyCode !== store.currencyCode
  if (moves && (await hasOrders(tx, id)))
    throw new ApiError('conflict', 'The store has orders: its country and its currency can no longer change. Open another store.')
  return changeStore(tx, id, change)
}

export async function changeStore(tx: Tx, id: string, change: StoreChange | StoreReplacement): Promise<Store> {
  if (change.slug !== undefined && (await slugTaken(tx, change.slug, id))) throw slugIsTaken(change.slug)
  const store = await updateStore(tx, id, change)
  if (!store) throw notFound('The store')
  return store
}

/**
 * The store is gone, its slug free, the API keys of its project ended. Refused while parcels are on their way: their callbacks would find
 * nobody, and their goods and cash no shelf.
 */
export async function deleteStore({ sql, shared }: Keeper, { id }: Pick<Store, 'id'>): Promise<void> {
  const ended = await transaction(sql, async (tx) => {
    const store = await lockStore(tx, id)
    if (!store) throw notFound('The store')
    await happened(tx, 'store.leaving', { store })
    await markDeleted(tx, id)
    return endKeys(tx, store.projectId)
  })
  await forgetCredentials(shared, ended)
}

type Keeper = Pick<Context, 'sql' | 'shared'>

const slugIsTaken = (slug: string) => new ApiError('slug_taken', `Another store has the slug "${slug}". Choose another one.`)

const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'store'
