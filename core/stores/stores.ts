import { findUserByEmail } from '../auth/auth.queries.ts'
import type { Queryable } from '../data/sql.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { createProject } from '../projects/projects.ts'
import type { Member, NewMember, NewStore, Store, StoreChange } from './stores.model.ts'
import { insertStore, slugTaken, updateStore, upsertMember } from './stores.queries.ts'

/** Makes the store, the project behind it, and its owner a member. */
export async function createStore(tx: Queryable, ownerId: string, input: NewStore): Promise<Store> {
  const project = await createProject(tx, ownerId, { name: input.name })
  const id = newId('sto')
  const slug = input.slug ?? `${slugOf(input.name)}-${id.slice(-6)}`
  const store = await insertStore(tx, { ...input, id, slug, ownerId, projectId: project.id })
  if (!store) throw slugIsTaken(slug)
  await upsertMember(tx, id, ownerId, 'owner')
  return store
}

export async function changeStore(tx: Queryable, id: string, change: StoreChange): Promise<Store> {
  if (change.slug !== undefined && (await slugTaken(tx, change.slug, id))) throw slugIsTaken(change.slug)
  const store = await updateStore(tx, id, change)
  if (!store) throw notFound('The store')
  return store
}

export async function addMember(tx: Queryable, storeId: string, input: NewMember): Promise<Member> {
  const user = await findUserByEmail(tx, input.email)
  if (!user) throw notFound('A person with this e-mail address')
  const member = await upsertMember(tx, storeId, user.id, input.role)
  if (!member) throw new ApiError('conflict', 'The owner of the store stays its owner.')
  return member
}

const slugIsTaken = (slug: string) => new ApiError('slug_taken', `Another store has the slug "${slug}". Choose another one.`)

const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'store'
