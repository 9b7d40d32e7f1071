import type { CarrierContext } from '../../../plugins/carrier/contract.ts'
import type { Context } from '../../context.ts'
import type { PageInput } from '../../http/resource/page.ts'
import { pageRows } from '../../integrations/connections/calls/page-rows.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { findOrReadPlaces } from '../../integrations/connections/places/sync-places.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import type { OperationCall } from '../../integrations/operations/operation-registry.ts'
import { adapterListOperation, optionalField } from './adapter-operations.ts'

type GeographyCall = OperationCall<'carrier', 'geography'>

/** Lists the places of a carrier, or compares them with the place catalogue. */
export const listGeography = (context: Context, task: GeographyCall): Promise<unknown> => {
  const { kind } = task.params
  return kind === 'matches' || kind === 'leftovers'
    ? comparePlaces(context, task.connection, kind, task.query)
    : listCarrierPlaces(context, task)
}

const listCarrierPlaces = (context: Context, task: GeographyCall) => {
  const { kind } = task.params
  return adapterListOperation(readPlaces, { quota: 'list', ...((kind === 'cities' || kind === 'centers') && { continuedList: kind }) })(
    context,
    task,
  )
}

function readPlaces({ adapter: carrier, params: { kind = 'states' }, query }: GeographyCall, adapter: CarrierContext) {
  const of = optionalField('stateId', query.stateId)
  if (kind === 'states') return carrier.states(adapter)
  if (kind === 'cities' && carrier.cities) return carrier.cities(adapter, of)
  if (kind === 'centers' && carrier.centers) return carrier.centers(adapter, of)
  throw new AdapterFailure('not_found', `${carrier.label} has no list of ${kind}.`, { wasSent: false })
}

async function comparePlaces(context: Context, connection: CarrierConnection, kind: 'matches' | 'leftovers', asked: PageInput) {
  const places = await findOrReadPlaces(context, connection)
  if (!places) throw new AdapterFailure('not_found', `${connection.mounted.carrier.label} lists no communes.`, { wasSent: false })
  if (kind === 'matches') return pageRows(places.matched, asked)
  const { theirs, ours } = places.leftovers
  return pageRows<object>(
    [...theirs.map((place) => ({ of: 'carrier', ...place })), ...ours.map((place) => ({ of: 'catalogue', ...place }))],
    asked,
  )
}
