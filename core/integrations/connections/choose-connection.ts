import type { AnyMountedAdapter } from '../../../plugins/host/registry.ts'
import { type ConnectionOwner, connectionOwnersOf } from '../../../plugins/kind.ts'
import type { Context } from '../../context.ts'
import { ownerProjectIdOf } from '../../data/project-ids.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { connectionErrors } from './connections.errors.ts'
import type { ConnectionChoice } from './connections.model.ts'
import {
  type ConnectionOwnerId,
  type ConnectionRow,
  findConnection,
  findConnectionByName,
  listConnectionsByKey,
} from './connections.queries.ts'

/**
 * Finds the connection with the given id, or the only one to the adapter. Throws `not_found` if there is none, and a validation error if
 * there are several and no id is given.
 */
export async function chooseConnection(
  context: Context,
  storeId: ConnectionOwnerId,
  name: string,
  { connection }: ConnectionChoice = {},
): Promise<ConnectionRow> {
  const { sql } = context
  const key = storeId === null ? name : adapterKeyForStore(context, name)
  if (connection !== undefined) {
    const row = await findConnection(sql, { projectId: ownerProjectIdOf(storeId), id: connection })
    if (row?.key !== key) throw notFound(`The connection ${connection} to ${key}`)
    return row
  }
  const [row, another] = await listConnectionsByKey(sql, storeId, key, 2)
  if (!row) throw notFound(`A connection to ${key}`)
  if (another) throw connectionErrors.connectionAmbiguous({ key }, { field: ['connection'] })
  return row
}

/** Finds the connection that a write replaces, by its id or by its name. Returns undefined if the write creates one. */
export const findConnectionToReplace = (
  context: Context,
  storeId: ConnectionOwnerId,
  key: string,
  name: string | undefined,
  choice: ConnectionChoice,
) =>
  choice.connection === undefined
    ? findConnectionByName(context.sql, storeId, key, name ?? '')
    : chooseConnection(context, storeId, key, choice)

/** Finds the adapter that the store, or with null the platform, may connect to. Throws `not_found` if there is none. */
export function findConnectableAdapter(context: Context, storeId: ConnectionOwnerId, key: string): AnyMountedAdapter {
  const mounted = storeId === null ? context.plugins.named(key) : findAdapterForStore(context, key)
  if (!mounted) throw notFound(`An adapter "${key}"`)
  const owner = storeId === null ? 'platform' : 'store'
  if (!acceptsOwner(mounted, owner))
    throw connectionErrors.ownerNotSupported({ owner: owner === 'store' ? 'A store' : 'The platform', label: mounted.adapter.label })
  return mounted
}

const acceptsOwner = ({ kind, adapter }: AnyMountedAdapter, owner: ConnectionOwner) => connectionOwnersOf(kind, adapter).includes(owner)

/**
 * Finds the adapter that a store means by a name. Falls back to `<name>-<kind>` if the adapter of that name accepts no store: `atlas` finds
 * `atlas-ads`.
 */
export function findAdapterForStore({ plugins }: Pick<Context, 'plugins'>, name: string): AnyMountedAdapter | undefined {
  const named = plugins.named(name)
  if (!named || acceptsOwner(named, 'store')) return named
  return plugins.all().find(({ kind, adapter }) => adapter.slug === `${name}-${kind.name}`) ?? named
}

const adapterKeyForStore = (context: Pick<Context, 'plugins'>, name: string) => findAdapterForStore(context, name)?.adapter.slug ?? name
