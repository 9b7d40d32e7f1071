import type { Context } from '../../context.ts'
import { findEnabledConnection } from '../../integrations/connections/connection.ts'
import { listConnections } from '../../integrations/connections/connections.queries.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { planModelFilter } from '../../money/billing/plans/limits.ts'
import { listConnectionModels } from './model-calls.ts'
import { modelErrors } from './models.errors.ts'
import type { AiModel, AvailableModel, ModelConnection, ModelOwner, OutputKind } from './models.model.ts'

/** Connections of one owner that are read. */
const CONNECTIONS_MAX = 200
/** Sources that are asked for their models at the same time. */
const AT_ONCE = 4

type OwnedBy = AvailableModel['ownedBy']

/**
 * Lists the models that an owner may use: those of the store's own connections first, then those of the platform that its plan includes. A
 * source that fails has no models.
 */
export async function listAvailableModels(
  context: Context,
  owner: ModelOwner,
  { gives }: { readonly gives?: OutputKind } = {},
): Promise<AvailableModel[]> {
  const own = 'storeId' in owner ? await listModelsOfOwner(context, owner.storeId, 'store') : []
  const isInPlan = 'storeId' in owner ? await planModelFilter(context.sql, owner.storeId) : () => true
  const all = [...own, ...(await listModelsOfOwner(context, null, 'platform')).filter(({ id }) => isInPlan(id))]
  return gives === undefined ? all : all.filter(({ model }) => model.gives.includes(gives))
}

async function listModelsOfOwner(context: Context, storeId: string | null, ownedBy: OwnedBy): Promise<AvailableModel[]> {
  const rows = (await listConnections(context.sql, storeId, null, CONNECTIONS_MAX)).filter(
    ({ kind, enabled }) => kind === 'model' && enabled,
  )
  const found = await mapConcurrent(rows, AT_ONCE, async (row) => {
    const connection = await findEnabledConnection(context, 'model', row)
    return connection ? listModelsOfConnection(context, connection, ownedBy) : []
  })
  return found.flat()
}

async function listModelsOfConnection(context: Context, connection: ModelConnection, ownedBy: OwnedBy): Promise<AvailableModel[]> {
  const { slug, currency } = connection.mounted.adapter
  const models = await listConnectionModels(context, connection).catch(() => [])
  return models.map((model) => ({
    id: `${slug}/${model.id}`,
    model,
    slug,
    ownedBy,
    connectionId: connection.row.id,
    currency,
  }))
}

/**
 * Returns the model with this id, or without an id the first that gives this output. Throws `not_found` for an unknown id, `conflict` when
 * no model gives it.
 */
export async function resolveModel(
  context: Context,
  owner: ModelOwner,
  id: string | undefined,
  gives: OutputKind,
): Promise<AvailableModel> {
  const fitting = await listAvailableModels(context, owner, { gives })
  const found = id === undefined ? fitting[0] : fitting.find((one) => one.id === id)
  if (found) return found
  if (id !== undefined) throw notFound(`A model ${id} that gives ${gives}`)
  throw modelErrors.noModel({ gives })
}

/** API view of a model; leaves out its connection. */
export const presentModel = ({ id, model, slug, currency, ownedBy }: AvailableModel): AiModel => ({
  ...model,
  id,
  source: slug,
  currency,
  ownedBy,
})
