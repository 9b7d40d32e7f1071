import type { AnyMounted } from '../../../plugins/host/registry.ts'
import { type ConnectionOwner, ownersOf } from '../../../plugins/kind.ts'
import type { Context } from '../../context.ts'
import { ApiError, invalidValue, notFound } from '../../http/errors/errors.ts'
import type { Choice } from './connections.model.ts'
import { type ConnectionRow, findConnection, findConnectionByName, listByKey, type OwnerId } from './connections.queries.ts'

/** The connection that is meant: the one there is, or the one that is named where there are several. */
export async function chooseConnection(
  context: Context,
  storeId: OwnerId,
  name: string,
  { connection }: Choice = {},
): Promise<ConnectionRow> {
  const { sql } = context
  const key = storeId === null ? name : keyOfStore(context, name)
  if (connection !== undefined) {
    const row = await findConnection(sql, connection)
    if (!row || !isOf(row, storeId) || row.key !== key) throw notFound(`The connection ${connection} to ${key}`)
    return row
  }
  const [row, another] = await listByKey(sql, storeId, key, 2)
  if (!row) throw notFound(`A connection to ${key}`)
  if (another) throw invalidValue('/query/connection', `There are several connections to ${key}. Say which, by its id.`)
  return row
}

const isOf = ({ owner, storeId }: ConnectionRow, wanted: OwnerId) => (wanted === null ? owner === 'platform' : storeId === wanted)

/** The connection that is replaced: the one that is named, by its id or by the name that it has; undefined where it is a new one. */
export const replaced = (context: Context, storeId: OwnerId, key: string, name: string | undefined, choice: Choice) =>
  choice.connection === undefined
    ? findConnectionByName(context.sql, storeId, key, name ?? '')
    : chooseConnection(context, storeId, key, choice)

/** The adapter that this owner may connect to. */
export function connectable(context: Context, storeId: OwnerId, key: string): AnyMounted {
  const mounted = storeId === null ? context.plugins.named(key) : meantByStore(context, key)
  if (!mounted) throw notFound(`An adapter "${key}"`)
  const owner = storeId === null ? 'platform' : 'store'
  if (!takes(mounted, owner))
    throw new ApiError('not_found', `${mounted.adapter.label} takes no connection of ${owner === 'store' ? 'a store' : 'the platform'}.`)
  return mounted
}

const takes = ({ kind, adapter }: AnyMounted, owner: ConnectionOwner) => ownersOf(kind, adapter).includes(owner)

/** The adapter that a store means: where the one of this name takes no store's connection, that of another kind is as good: `atlas` for `atlas-ads`. */
export function meantByStore({ plugins }: Pick<Context, 'plugins'>, name: string): AnyMounted | undefined {
  const named = plugins.named(name)
  if (!named || takes(named, 'store')) return named
  return plugins.all().find(({ kind, adapter }) => adapter.slug === `${name}-${kind.name}`) ?? named
}

const keyOfStore = (context: Pick<Context, 'plugins'>, name: string) => meantByStore(context, name)?.adapter.slug ?? name
