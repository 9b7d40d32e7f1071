import type { Context } from '../../context.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { connectionIfOn } from '../../integrations/connections/connection.ts'
import { listConnections } from '../../integrations/connections/connections.queries.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { modelsOfPlan } from '../../money/billing/plans/models-of-plan.ts'
import { readModels } from './ask.ts'
import type { Gift, ModelConnection, ModelOwner, Usable, UsableModel } from './models.model.ts'

/** Connections of one owner that are looked at, and of those that lead to models, asked at once. */
const CONNECTIONS_MAX = 200
const AT_ONCE = 4

type OwnedBy = Usable['ownedBy']

/**
 * All models that somebody may use: those of the store's own connections first, then those of the platform that its plan gives. A source
 * that cannot be asked now has none.
 */
export async function usableModels(context: Context, owner: ModelOwner, { gives }: { readonly gives?: Gift } = {}): Promise<Usable[]> {
  const own = 'storeId' in owner ? await ofOwner(context, owner.storeId, 'store') : []
  const isGiven = 'storeId' in owner ? await modelsOfPlan(context.sql, owner.storeId) : () => true
  const all = [...own, ...(await ofOwner(context, null, 'platform')).filter(({ id }) => isGiven(id))]
  return gives === undefined ? all : all.filter(({ model }) => model.gives.includes(gives))
}

async function ofOwner(context: Context, storeId: string | null, ownedBy: OwnedBy): Promise<Usable[]> {
  const rows = (await listConnections(context.sql, storeId, null, CONNECTIONS_MAX)).filter(
    ({ kind, enabled }) => kind === 'model' && enabled,
  )
  const found = await mapConcurrent(rows, AT_ONCE, async ({ id }) => {
    const connection = await connectionIfOn(context, 'model', id)
    return connection ? modelsOf(context, connection, ownedBy) : []
  })
  return found.flat()
}

async function modelsOf(context: Context, connection: ModelConnection, ownedBy: OwnedBy): Promise<Usable[]> {
  const { slug, currency } = connection.mounted.adapter
  const models = await readModels(context, connection).catch(() => [])
  return models.map((model) => ({
    id: `${slug}/${model.id}`,
    model,
    slug,
    ownedBy,
    connectionId: connection.row.id,
    currency,
  }))
}

/** The model that is named, or the first that gives this. Throws `not_found`, and `conflict` where there is none at all. */
export async function usableModel(context: Context, owner: ModelOwner, id: string | undefined, gives: Gift): Promise<Usable> {
  const fitting = await usableModels(context, owner, { gives })
  const found = id === undefined ? fitting[0] : fitting.find((one) => one.id === id)
  if (found) return found
  if (id !== undefined) throw notFound(`A model ${id} that gives ${gives}`)
  throw new ApiError('conflict', `There is no model that gives ${gives}: connect a source of models first.`)
}

/** As a caller is shown it. */
export const presentModel = ({ id, model, slug, currency, ownedBy }: Usable): UsableModel => ({
  ...model,
  id,
  source: slug,
  currency,
  ownedBy,
})
